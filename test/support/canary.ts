import { inspect } from "node:util";
import { expect } from "vitest";
import { TOKEN } from "./server.js";

/** An error whose message cannot be read. */
export class UnreadableError extends Error {
  override get message(): string {
    throw new Error("unreadable");
  }
}

/** Returns everything that a log could show about an error and its causes, in the formats that loggers use. */
export function tracesOf(error: unknown): string {
  const traces = [
    inspect(error, { depth: Infinity, showHidden: true, getters: true, maxStringLength: null }),
    JSON.stringify(error) ?? "",
    String(error),
  ];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    traces.push(at.message, at.stack ?? "", at.name);
    for (const key of Reflect.ownKeys(at)) {
      const value: unknown = Reflect.get(at, key);
      traces.push(value instanceof Headers ? JSON.stringify([...value]) : String(value));
    }
  }
  return traces.join("\n");
}

/** Fails the test if an error exposes a secret or a request, which might contain the secret. */
export function expectNoSecret(error: unknown, secret: string = TOKEN): void {
  const traces = tracesOf(error);
  expect(traces).not.toContain(secret);
  expect(traces).not.toContain(secret.slice(0, -2));
  expect(traces.toLowerCase()).not.toContain("bearer canary");
  expect(traces).not.toMatch(/\bRequest \{|authorization:/);
}
