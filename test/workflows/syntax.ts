import { tsImport } from "tsx/esm/api";

// It imports JSON in a way that Node refuses and tsx does not.
const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = (await tsImport(
  "@actions/workflow-parser",
  import.meta.url,
)) as typeof import("@actions/workflow-parser");

/**
 * What GitHub's own parser objects to in a workflow: keys and values that its schema does not know, expressions it
 * cannot read, jobs that wait for none or for each other.
 */
export async function syntaxErrors(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}
