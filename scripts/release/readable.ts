import { join } from "node:path";
import { DescriptionError, readDescription } from "../generate/description.js";
import { ReleaseError } from "./step.js";

/** The description, relative to the project. */
export const description = "openapi/catalogue.yaml";

/** Makes sure that a description can be read. @throws {ReleaseError} with line, column and what to do */
export async function assertReadable(project: string, file: string): Promise<void> {
  await readDescription(join(project, file)).catch((error: unknown) => {
    if (!(error instanceof DescriptionError)) throw error;
    throw new ReleaseError(error.message.replaceAll(`${project}/`, ""));
  });
}
