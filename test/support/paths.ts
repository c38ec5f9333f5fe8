import { fileURLToPath } from "node:url";

/** The path to the project's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));
