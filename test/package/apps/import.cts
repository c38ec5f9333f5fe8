import type { Catalogue } from "media-catalogue" with { "resolution-mode": "import" };

async function create(): Promise<Catalogue> {
  const { createCatalogue } = await import("media-catalogue");
  const { createSandbox } = await import("media-catalogue/sandbox");
  const { fetch } = createSandbox();
  return createCatalogue({ baseUrl: "https://catalogue.example", token: "any", fetch });
}

void create()
  .then(({ movies }) => movies.watchProviders(106646))
  .then(({ id }) => console.log(id));
