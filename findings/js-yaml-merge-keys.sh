#!/usr/bin/env bash
# js-yaml 5.5.0: `<<` is an ordinary property, and dates are strings.
#
# Behavior: `<<: *base` in a map gives a property named "<<". An unquoted 2024-05-01 is a string. js-yaml 4.1.0 merges
# the map, and gives a Date.
# Good guess: a parser keeps reading the files that its last major version read, with merge keys and timestamps; the
# YAML of most OpenAPI tools relies on one or the other.
# Why the guess is wrong: version 5 reads the core schema of YAML 1.2 by default, which has neither. The `yaml`
# package does the same.
# Depends on it: docs/promises.md rejects merge keys in descriptions, because parsers disagree about them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund js-yaml@5.5.0 js-yaml-4@npm:js-yaml@4.1.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { load } from "js-yaml";
import old from "js-yaml-4";

const text = "base: &base { page: 1 }\nquery: { <<: *base, since: 2024-05-01 }\n";
const describe = ({ query }) => `${Object.keys(query)}; since is a ${query.since.constructor.name}`;
const seen = { "js-yaml 5.5.0": describe(load(text)), "js-yaml 4.1.0": describe(old.load(text)) };
console.log(seen);
assert.deepEqual(Object.values(seen), ["<<,since; since is a String", "page,since; since is a Date"]);
JS
node finding.mjs
