import { withBase, type Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h } from "vue";

/** The page for unknown paths. The default one has no `main` element, and a label that differs from its link. */
const NotFound = () =>
  h("main", { class: "vp-doc", style: "padding: 96px 24px; text-align: center" }, [
    h("h1", "Page not found"),
    h("p", h("a", { href: withBase("/") }, "Go to the home page")),
  ]);

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "not-found": NotFound }),
} satisfies Theme;
