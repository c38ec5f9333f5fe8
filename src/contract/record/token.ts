/**
 * The access token of a deployment. It comes from the environment alone: arguments are seen by every process.
 * @throws {TypeError} CATALOGUE_TOKEN is not set
 */
export function tokenFrom(env: Readonly<Record<string, string | undefined>>): string {
  const token = env["CATALOGUE_TOKEN"];
  if (!token) throw new TypeError("no access token; set CATALOGUE_TOKEN in the environment");
  return token;
}
