/**
 * Matches comments, strings, keywords, and numbers in TypeScript, shell, JSON, and YAML. Each group name is a CSS
 * class.
 */
const TOKENS =
  /(?<comment>\/\*[^]*?\*\/|(?<![:\w])\/\/.*|(?<=^|\s)# .*)|(?<string>"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`\n]*`)|(?<keyword>\b(?:await|async|catch|class|const|declare|export|extends|for|function|if|import|from|interface|new|null|of|readonly|return|throw|true|false|type|curl|npx|npm)\b|(?<=\s)--[a-z-]+)|(?<number>\b\d[\d_.]*\b)/gm;

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/**
 * Returns code as HTML with highlighted tokens. The browser uses this function, too, so that a sample looks the same
 * after an edit.
 */
export function highlight(code: string): string {
  let [html, end] = ["", 0];
  for (const { 0: text, index, groups = {} } of code.matchAll(TOKENS)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)!;
    html += `${escapeHtml(code.slice(end, index))}<span class="${kind}">${escapeHtml(text)}</span>`;
    end = index + text.length;
  }
  return html + escapeHtml(code.slice(end));
}

/** The titles of blocks whose text is not highlighted. */
const PLAIN = new Set(["Text", "Terminal", "Headers"]);

/** Returns a titled block of highlighted code. A script on the page makes the Copy button work. */
export function codeBlock(title: string, code: string): string {
  const html = PLAIN.has(title) ? escapeHtml(code) : highlight(code);
  return `<figure class="code"><figcaption>${title}<button type="button" class="copy">Copy</button></figcaption>
<pre tabindex="0" role="group" aria-label="${title}"><code>${html}</code></pre></figure>`;
}
