/** The import of the package is compared with the import of this module. */
export const nothing = undefined;
