import { expect } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { openPage, skipWithoutChromium } from "../support/app.js";
import { freePort, TOKEN } from "../support/server.js";
import { frameworkFile, serveForFile, startApp } from "./frameworks.js";
import { recipe, shared } from "./recipe-files.js";

const plugin = "app/plugins/catalogue.ts";
const route = "server/routes/api/catalogue/[...path].ts";
const page = `
  <script setup lang="ts">
  ${recipe("app/pages/movie.vue").replace(/^\/\/.*\n/, "")}
  const people = ref();
  const load = async () => {
    people.value = (await $catalogue.movies.credits(701)).cast.length;
  };
  </script>
  <template>
    <h1>{{ movie?.title }}</h1>
    <button @click="load">{{ people }}</button>
  </template>`;

skipWithoutChromium(
  "the server sends a page with data, and the browser calls the service only for more data, through the proxy",
  async () => {
    const requests: string[] = [];
    const sandbox = createSandbox();
    const baseUrl = await serveForFile((request) => {
      requests.push(`${request.headers.get("authorization")} ${new URL(request.url).pathname}`);
      return sandbox.fetch(request);
    });
    const PORT = `${await freePort()}`;
    await startApp({
      name: "nuxt",
      files: { ...shared, [plugin]: recipe(plugin), [route]: recipe(route), "app/app.vue": page },
      build: [frameworkFile("nuxt/bin/nuxt.mjs"), "build"],
      start: [".output/server/index.mjs"],
      env: { CATALOGUE_BASE_URL: baseUrl, CATALOGUE_TOKEN: TOKEN, HOST: "127.0.0.1", PORT },
    });
    const { page: tab, noise } = await openPage(`http://127.0.0.1:${PORT}/`);
    expect(await tab.locator("h1").textContent()).toBe("Night Ferry");
    await tab.locator("button").click();
    await expect.poll(() => tab.locator("button").textContent()).toBe("3");
    const paths = ["/3/movie/701", "/3/movie/701/credits"];
    expect(requests).toEqual(paths.map((path) => `Bearer ${TOKEN} ${path}`));
    expect(noise).toEqual([]);
    expect(await tab.content()).not.toContain(TOKEN);
  },
);
