/** Returns the name of an operation's exported validator, such as `moviesDetails`. */
export function validatorName(operationId: string): string {
  const [group = "", method = ""] = operationId.split(".");
  return group + method.charAt(0).toUpperCase() + method.slice(1);
}
