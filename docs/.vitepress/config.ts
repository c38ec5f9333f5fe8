import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

const manifest = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as {
  repository?: { url: string };
};
/** The URL of the repository. Without a repository in package.json, links to source files become plain text. */
const source = manifest.repository?.url.replace(/^git\+|\.git$/g, "");

/** Pages, and the files that npm run docs copies to the same path: links to them stay as they are. */
const PUBLISHED = /^(?:#|\w+:)|\.(?:md|ya?ml|json|txt|svg)(?:#.*)?$/;

/** Changes to VitePress's theme, whose code, labels, and button have too little contrast */
const CODE_THEME = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" };
const STYLE = `:root { --vp-code-lang-color: var(--vp-c-text-2); }
:root:not(.dark) { --vp-button-brand-bg: var(--vp-c-brand-2); }
.DocSearch-Button-Keys { display: none !important; }`;

/** The path at which the site is hosted. */
const base = process.env["DOCS_BASE"] ?? "/";

const GUIDES = [
  { text: "Guide", link: "/README" },
  { text: "Methods", link: "/docs/methods" },
  { text: "Recipes", link: "/docs/recipes" },
  { text: "Coming from another client", link: "/docs/coming-from" },
  { text: "Authentication", link: "/docs/authentication" },
  { text: "Examples", link: "/examples/README" },
];
const SERVICE = [
  { text: "Gaps", link: "/docs/gaps" },
  { text: "Evidence", link: "/docs/evidence" },
];
const GATE = [
  { text: "Configuration", link: "/docs/configuration" },
  { text: "Findings", link: "/docs/findings" },
];
const PROJECT = [
  { text: "Promises", link: "/docs/promises" },
  { text: "Comparison", link: "/docs/compared" },
  { text: "Design", link: "/docs/design" },
  { text: "Benchmarks", link: "/bench/README" },
  { text: "Contributing", link: "/CONTRIBUTING" },
  { text: "Maintaining", link: "/docs/maintaining" },
  { text: "Changelog", link: "/CHANGELOG" },
  { text: "Security", link: "/SECURITY" },
];
/** Redoc's pages are not part of the VitePress app, so these links load a new page. */
const REDOC = [
  { text: "Full API", link: "/redoc/full.html", target: "_self" },
  { text: "Specified API", link: "/redoc/catalogue.html", target: "_self" },
];

export default defineConfig({
  title: "media-catalogue",
  description: "A typed client, a sandbox, and a contract gate for the media catalogue service",
  base,
  // The guides are the same files that the repository and the package show.
  srcDir: "..",
  srcExclude: ["**/node_modules/**", ".changeset", ".github", ".tmp", "dist", "test", "recordings"],
  outDir: "../dist/docs",
  cacheDir: "../.tmp/vitepress",
  rewrites: { "docs/index.md": "index.md" },
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${base}favicon.svg` }],
    ["style", {}, STYLE],
  ],
  ignoreDeadLinks: [/\/redoc\//],
  vite: { publicDir: "docs/public" },
  markdown: {
    theme: CODE_THEME,
    config({ core }) {
      core.ruler.push("source-links", ({ tokens, env }) => {
        const { relativePath } = env as { relativePath: string };
        for (const { children } of tokens)
          for (const [index, open] of (children ?? []).entries()) {
            const href = open.attrGet("href") ?? "";
            if (open.type !== "link_open" || PUBLISHED.test(href)) continue;
            const close = children!.slice(index).find(({ type }) => type === "link_close")!;
            const { pathname } = new URL(href, `file:///${relativePath}`);
            if (source) open.attrSet("href", `${source}/blob/main${pathname}`);
            else for (const each of [open, close]) Object.assign(each, { type: "text", tag: "" });
          }
      });
    },
  },
  themeConfig: {
    nav: [{ text: "Guide", link: "/README" }, ...REDOC, { text: "Methods", link: "/docs/methods" }],
    sidebar: [
      { text: "Use the client", items: GUIDES },
      { text: "The service", items: [...REDOC, ...SERVICE] },
      { text: "Contract gate", items: GATE },
      { text: "Project", items: PROJECT },
    ],
    outline: [2, 3],
    search: { provider: "local" },
    ...(source && { socialLinks: [{ icon: "github", link: source }] }),
  },
});
