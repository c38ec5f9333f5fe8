// The script that every page loads. It runs the theme switch, the search, and the copy buttons.
import { openSearch } from "./search.js";

const root = document.documentElement;
const darkDevice = matchMedia("(prefers-color-scheme: dark)");
const themeSwitch = document.getElementById("site-theme")!;
const menu = document.getElementById("site-menu")!;

function isDark(): boolean {
  const { theme } = root.dataset;
  return theme ? theme === "dark" : darkDevice.matches;
}

function showTheme(): void {
  themeSwitch.ariaPressed = String(isDark());
}

themeSwitch.addEventListener("click", () => {
  root.dataset["theme"] = isDark() ? "light" : "dark";
  localStorage.setItem("theme", root.dataset["theme"]);
  showTheme();
});
darkDevice.addEventListener("change", showTheme);
showTheme();

document.getElementById("site-search")!.addEventListener("click", () => void openSearch());
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "k") return;
  event.preventDefault();
  void openSearch();
});

document.addEventListener("click", async ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  if (target.closest("#site-menu a")) menu.hidePopover();
  if (!target.matches(".copy")) return;
  await navigator.clipboard.writeText(
    target.closest("figure")!.querySelector("code")!.textContent!,
  );
  target.textContent = "Copied!";
  setTimeout(() => (target.textContent = "Copy"), 2_000);
});

/** Scrolls the menu to the link to the current page, if that link is below the visible part of the menu. */
function showCurrentPage(): void {
  const current = menu.querySelector<HTMLElement>("[aria-current]");
  const isHidden = current && current.offsetTop + current.offsetHeight > menu.clientHeight;
  if (isHidden) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
}
menu.addEventListener("toggle", showCurrentPage);
showCurrentPage();

/** Expands the collapsed sections around the target of the URL's fragment, because some browsers do not. */
function unfold(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.closest("details:not([open])")) return;
  for (let node: Element | null = target; node; node = node.parentElement)
    if (node instanceof HTMLDetailsElement) node.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();
