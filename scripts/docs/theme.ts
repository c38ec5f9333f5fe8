import {
  DefaultTheme,
  DocumentReflection,
  JSX,
  KindRouter,
  type NavigationElement,
  type PageEvent,
  type ProjectReflection,
  type Reflection,
} from "typedoc";
import { siteHeader, readAsset } from "./page.js";

/** All pages are in one folder, so the same relative links work on every page. */
export class FlatRouter extends KindRouter {
  override getIdealBaseName(reflection: Reflection): string {
    const name = reflection.getFullName().replace(/^media-catalogue[/.]/, "");
    const safe = name.replaceAll(/[^\w.-]+/g, "-");
    return reflection instanceof DocumentReflection ? safe.toLowerCase() : safe;
  }
}

/** TypeDoc's theme with the header of this site. */
export class SiteTheme extends DefaultTheme {
  override getRenderContext(page: PageEvent<Reflection>) {
    const context = super.getRenderContext(page);
    const script = '<script src="site.js" defer></script>';
    const section = page.model.isDocument() ? "guide.html" : "media-catalogue.html";
    const html = readAsset("templates/search.html") + siteHeader(page.url, section) + script;
    context.toolbar = () => JSX.createElement(JSX.Raw, { html });
    // The header has the theme switch.
    context.settings = () => JSX.createElement(JSX.Fragment, null);
    return context;
  }

  /** A summary must not contain a link, so the page of a module becomes its first entry. */
  override buildNavigation(project: ProjectReflection): NavigationElement[] {
    const split = (element: NavigationElement): NavigationElement => {
      const { path, children, ...rest } = element;
      if (!children) return element;
      const overview = path ? [{ text: "Overview", path }] : [];
      return { ...rest, children: [...overview, ...children.map(split)] };
    };
    return super
      .buildNavigation(project)
      .flatMap(({ children = [] }) => children)
      .map(split);
  }
}
