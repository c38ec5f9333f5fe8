import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json } from "../../../src/contract/engine/types.js";

type Schema = { [keyword: string]: Json };

/** Whether a value satisfies a schema, by the interpreter of ajv over the schema as it is written. */
export type IsValid = (schema: Json, value: Json) => boolean;

/** ajv without any preparation. */
export function interpreter(schemas: Json): IsValid {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajv.addSchema({ $id: "doc:", components: { schemas } } as object);
  const known = new Map<string, (value: Json) => boolean>();
  return (schema, value) => {
    const key = JSON.stringify(schema);
    const text = key.replaceAll('"#/components', '"doc:#/components');
    let validate = known.get(key);
    if (!validate) known.set(key, (validate = ajv.compile(JSON.parse(text) as object) as never));
    return validate!(value);
  };
}

/** The pointers of what a schema does not declare: slowly, by the words of the rule, with all schemas in the hand. */
export function undeclared(schema: Json, schemas: Schema, value: Json, isValid: IsValid): string[] {
  const deref = (each: Json): Json => {
    const reference = (each as Schema | undefined)?.$ref;
    return typeof reference === "string" ? deref(schemas[reference.split("/").at(-1)!]!) : each;
  };

  /** Every schema that has a say about a value. */
  function say(one: Json, about: Json, found: Schema[] = []): Schema[] {
    if (typeof one !== "object" || one === null || found.includes(one as Schema)) return found;
    const here = one as Schema;
    found.push(here);
    if (here.$ref) say(deref(here), about, found);
    for (const part of (here.allOf ?? []) as Json[]) say(part, about, found);
    for (const keyword of ["oneOf", "anyOf"]) {
      if (here[keyword])
        for (const branch of meant(here[keyword] as Json[], about)) say(branch, about, found);
    }
    if (here.if !== undefined) {
      const holds = isValid(here.if, about);
      if (holds) say(here.if, about, found);
      say((holds ? here.then : here.else) ?? true, about, found);
    }
    return found;
  }

  function meant(branches: Json[], about: Json): Json[] {
    const tags = branches.map(tagsOf);
    const all = tags.flat();
    if (tags.every((each) => each.length > 0) && new Set(all).size === all.length) {
      const given = isObject(about) && Object.hasOwn(about, "tag") ? about.tag : undefined;
      return branches.filter((_, index) => tags[index]!.includes(given as Json));
    }
    const types = branches.map(typesOf);
    if (
      types.every((each, index) =>
        types.slice(index + 1).every((other) => !each.some((type) => other.includes(type))),
      )
    ) {
      return branches.filter((_, index) => types[index]!.includes(typeOf(about)));
    }
    const valid = branches.filter((branch) => isValid(branch, about));
    return valid.length > 0 ? valid : branches;
  }

  function tagsOf(branch: Json): Json[] {
    const {
      properties,
      required = [],
      type,
      ...rest
    } = deref(branch) as {
      properties?: { tag?: Schema };
      required?: string[];
      type?: Json;
    } & Schema;
    const own = properties?.tag?.const;
    if (type === "object" && required.includes("tag") && own !== undefined) return [own];
    const inner = (rest.oneOf ?? rest.anyOf ?? []) as Json[];
    const tags = inner.map(tagsOf);
    return tags.every((each) => each.length > 0) ? tags.flat() : [];
  }

  function typesOf(branch: Json): string[] {
    const { type, ...rest } = deref(branch) as { type?: string | string[] } & Schema;
    const inner = (rest.oneOf ?? rest.anyOf) as Json[] | undefined;
    if (type === undefined && inner) return inner.flatMap(typesOf);
    const types = type ?? ["null", "boolean", "number", "string", "array", "object"];
    return [types].flat().map((each) => (each === "integer" ? "number" : each));
  }

  function look(about: Json, rules: Json[], pointer: string): string[] {
    const all = rules.reduce<Schema[]>((found, rule) => say(rule, about, found), []);
    if (Array.isArray(about)) {
      return about.flatMap((item, index) => {
        const items = all.flatMap(
          ({ prefixItems = [], items: rest }) => (prefixItems as Json[])[index] ?? rest ?? [],
        );
        return look(item, items, `${pointer}/${index}`);
      });
    }
    if (!isObject(about)) return [];
    const naming = all.filter(
      (each) =>
        each.properties ?? each.patternProperties ?? each.additionalProperties !== undefined,
    );
    return Object.entries(about).flatMap(([key, member]) => {
      const declaring = naming.flatMap(
        ({ properties = {}, patternProperties = {}, additionalProperties }) => {
          const named = Object.hasOwn(properties as Schema, key)
            ? [(properties as Schema)[key]!]
            : [];
          const like = Object.entries(patternProperties as Schema).filter(([pattern]) =>
            new RegExp(pattern).test(key),
          );
          const own = [...named, ...like.map(([, each]) => each)];
          return own.length > 0
            ? own
            : additionalProperties === undefined
              ? []
              : [additionalProperties];
        },
      );
      const here = `${pointer}/${key}`;
      if (naming.length > 0 && declaring.length === 0) return [here];
      return look(member, declaring, here);
    });
  }

  return look(value, [schema], "").toSorted();
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(value: Json): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
