// The header of every page: the theme switch, the search button, the skip link, and Enter in the search.

/** The keys under which TypeDoc and Redoc remember the theme. */
const KEYS = ["tsd-theme", "redoc.colorMode"] as const;
const root = document.documentElement;
const darkDevice = matchMedia("(prefers-color-scheme: dark)");

const button = (id: string) => document.getElementById(id) as HTMLButtonElement;
const themeSwitch = button("theme-switch");

function isDark(): boolean {
  const chosen = localStorage.getItem(KEYS[0]);
  return chosen === "dark" || (chosen !== "light" && darkDevice.matches);
}

/** TypeDoc reads the attribute, Redoc the class. */
function showTheme(): void {
  root.dataset["theme"] = isDark() ? "dark" : "light";
  root.classList.toggle("dark", isDark());
  root.classList.toggle("light", !isDark());
  themeSwitch.ariaPressed = String(isDark());
}

themeSwitch.addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  for (const key of KEYS) localStorage.setItem(key, theme);
  showTheme();
});
darkDevice.addEventListener("change", showTheme);
showTheme();

// TypeDoc handles both buttons itself. On the service page they stand for Redoc's own.
for (const [id, own] of [
  ["tsd-search-trigger", "search-trigger"],
  ["tsd-toolbar-menu-trigger", "floating-button"],
] as const) {
  button(id).addEventListener("click", () => {
    document.querySelector<HTMLElement>(`[data-testid="${own}"]`)?.click();
  });
}

// Redoc would treat the link to the content as one of its routes.
document.querySelector<HTMLAnchorElement>(".skip")!.addEventListener("click", (event) => {
  event.preventDefault();
  const content = document.querySelector<HTMLElement>((event.target as HTMLAnchorElement).hash)!;
  content.tabIndex = -1;
  content.focus();
});

const SEARCH = '#tsd-search, div:has(> header > [data-component-name="Search/SearchInput"])';
/** Both searches wait before they show results: at most this many milliseconds after the last key. */
const SEARCH_DELAY = 700;
let timer = 0;

// Both searches open a result only after an arrow key selects it. Here, Enter opens the first one.
document.addEventListener("keydown", ({ key, target }) => {
  clearTimeout(timer);
  if (key !== "Enter" || !(target instanceof HTMLInputElement)) return;
  const results = target.closest(SEARCH);
  if (!results || target.getAttribute("aria-activedescendant")) return;
  const openFirst = () => {
    const hit = results.querySelector<HTMLElement>("a[href]");
    if (hit) hit.click();
    else timer = window.setTimeout(openFirst, 100);
  };
  timer = window.setTimeout(openFirst, SEARCH_DELAY);
});
