// Loads the package with require() and calls a running sandbox: node node.cjs URL
const assert = require("node:assert");
const { readFileSync } = require("node:fs");
const client = require("media-catalogue");
const { tour } = require("./tour.mjs");

const modules = {
  client,
  contract: require("media-catalogue/contract"),
  sandbox: require("media-catalogue/sandbox"),
  validate: require("media-catalogue/validate"),
};
const yaml = readFileSync(require.resolve("media-catalogue/openapi.yaml"), "utf8");

void tour(modules, process.argv[2]).then(async (outcome) => {
  // require() and import() load the same copy of the package, so `instanceof` works.
  assert.equal((await import("media-catalogue")).ApiError, client.ApiError);
  console.log(JSON.stringify({ ...outcome, yaml: yaml.slice(0, yaml.indexOf("\n")) }));
});
