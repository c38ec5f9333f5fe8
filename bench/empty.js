/** The benchmark subtracts the import time of this module from the import time of the package. */
export const nothing = undefined;
