/**
 * A string other than the known values of a property, such as a `media_type` that the service will add. Comparing the
 * property with a known value narrows the type of its object.
 */
// TypeScript narrows a union only by types such as literals and enums. At run time, the value is any other string.
declare enum OtherValue {
  Any = "any other string",
}
export type { OtherValue };
