/** What axe finds in the page that no theme and no text can change, by the id of its rule, with the reason. */
export const redocsOwn: Readonly<Record<string, string>> = {
  "heading-order": "Redoc heads a request with h4 right below the h2 of its operation.",
  "page-has-heading-one":
    "Redoc renders sections as they come into view, so that h1 is there at the top only.",
  region: "Redoc puts its menu into no landmark.",
};
