import { element } from "./element.js";

/** Comments, strings, keywords, and numbers in TypeScript, shell, and JSON. Each group name becomes a class. */
const TOKENS =
  /(?<comment>\/\/.*)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<keyword>\b(?:await|const|import|from|null|true|false|curl)\b|--[a-z-]+)|(?<number>\b\d+\b)/g;

/** A titled block of highlighted code with a copy button. */
export function codeBlock(title: string, code: string): HTMLElement {
  const copy = element("button", { type: "button" }, "Copy");
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code);
    copy.textContent = "Copied!";
  });
  const text = element("pre", { tabIndex: 0, role: "region", ariaLabel: title }, highlight(code));
  return element("figure", { className: "code" }, element("figcaption", {}, title, copy), text);
}

function highlight(code: string): HTMLElement {
  const highlighted = element("code");
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(TOKENS)) {
    const className = Object.keys(groups).find((name) => groups[name] !== undefined)!;
    highlighted.append(code.slice(end, index), element("span", { className }, text));
    end = index + text.length;
  }
  highlighted.append(code.slice(end));
  return highlighted;
}
