// What any import costs; import-time.ts compares it with that of the built package.
export const nothing = undefined;
