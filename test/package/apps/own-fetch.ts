/** The `fetch` option accepts the `fetch` of every platform, of wrappers, and of the sandbox, without a cast. */
import { createCatalogue, type Fetch } from "media-catalogue";
import { createSandbox } from "media-catalogue/sandbox";

const options = { baseUrl: "https://catalogue.example", token: "t" };
const ownFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  return response;
};

export const catalogues = [
  createCatalogue({ ...options, fetch }),
  createCatalogue({ ...options, fetch: globalThis.fetch }),
  createCatalogue({ ...options, fetch: (url, init) => fetch(url, init) }),
  createCatalogue({ ...options, fetch: (...args) => fetch(...args) }),
  createCatalogue({ ...options, fetch: createSandbox().fetch }),
  createCatalogue({ ...options, fetch: ownFetch }),
  // @ts-expect-error a string is not a response
  createCatalogue({ ...options, fetch: async () => "response" }),
];
