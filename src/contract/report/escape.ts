const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as it stands in HTML or XML, between tags or quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A text as it stands in a table of GitHub's Markdown: nothing in it is markup. */
export function escapeMarkdown(text: string): string {
  return escapeHtml(text.replace(/[\\`*_{}[\]()#+!|~@-]/g, "\\$&"));
}
