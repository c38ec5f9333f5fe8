// The search dialog. The browser loads the search index when the dialog opens for the first time.
import { element } from "./element.js";

type Hit = [name: string, context: string, url: string];

/** A script sets the index, because a page opened from a `file:` URL cannot use `fetch`. */
declare global {
  interface Window {
    SEARCH?: Hit[];
  }
}

const MAX_HITS = 30;

const input = element("input", {
  type: "search",
  ariaLabel: "Search",
  placeholder: "Methods, fields, and pages",
  autocomplete: "off",
});
const results = element("ul");
const status = element("p", { role: "status" });
const close = element("button", { type: "button", className: "close", ariaLabel: "Close" }, "×");
const dialog = element(
  "dialog",
  { className: "search", ariaLabel: "Search" },
  close,
  input,
  status,
  results,
);
document.body.append(dialog);
close.addEventListener("click", () => dialog.close());

export async function openSearch(): Promise<void> {
  if (dialog.open) return;
  dialog.showModal();
  input.select();
  if (!window.SEARCH) {
    const script = element("script", { src: "search-index.js" });
    document.head.append(script);
    await new Promise((resolve) => script.addEventListener("load", resolve));
  }
  showHits();
}

/**
 * Finds the entries that match the search text. Entries whose name equals the text come first, then entries whose name
 * starts with the text, then entries whose name contains the text, then all other matches.
 */
function findHits(text: string): Hit[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const ranked = window.SEARCH!.flatMap((hit) => {
    const [name, context] = [hit[0].toLowerCase(), hit[1].toLowerCase()];
    if (!words.every((word) => name.includes(word) || context.includes(word))) return [];
    const whole = words.join(" ");
    const rank = name === whole ? 0 : name.startsWith(whole) ? 1 : name.includes(whole) ? 2 : 3;
    return [{ hit, rank }];
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ hit }) => hit);
}

function showHits(): void {
  if (!window.SEARCH) return;
  const hits = findHits(input.value);
  const items = hits.slice(0, MAX_HITS).map(([name, context, url]) => {
    const link = element(
      "a",
      { href: url },
      element("b", {}, ...name.split(/(?<=\.)/).flatMap((part) => [element("wbr"), part])),
      " ",
      element("span", {}, context),
    );
    link.addEventListener("click", () => dialog.close());
    return element("li", {}, link);
  });
  results.replaceChildren(...items);
  const count = hits.length === 1 ? "1 result" : `${hits.length} results`;
  const shown = hits.length > MAX_HITS ? `; the first ${MAX_HITS} are shown` : "";
  status.textContent = input.value.trim() ? count + shown : "";
}

input.addEventListener("input", showHits);
dialog.addEventListener("keydown", (event) => {
  const links = [...results.querySelectorAll("a")];
  const index = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === "Enter" && index < 0) links[0]?.click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  (links[index + step] ?? input).focus();
});
