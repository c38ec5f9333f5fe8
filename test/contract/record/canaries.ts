/** Secrets, named after their locations. The first four come from the caller, and all other secrets from responses. */
export const canaries = {
  bearer: "canary.Bearer-7f3a9c21d5e84b06_tok",
  accessToken: "canary-v4-access~9b1d7e33c0",
  queryHex: "c0ffee0123456789abcdef0123456789deadbeef",
  accountId: "5e8f1a2b3c4d5e6f7a8b9c0d",
  requestToken: "canary-request-41e0b7aa92fd",
  callbackToken: "canaryCallbackSegment55d1c3",
  callbackQuery: "canary-callback-query-8812",
  sessionId: "canary-session-id-00f1e2d3",
  guestSessionId: "canary-guest-1f2e3d4c5b6a",
  refreshToken: "canary-refresh-77aa88bb99cc",
  apiKey: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeQ",
  cookie: "canary-cookie-a1b2c3d4e5",
  csrfHeader: "canary-csrf-header-6f5e4d",
  password: "canary-Pass+word/9=x",
  userinfo: "canary-user-info-31415",
  nestedJson: "canary-nested-json-27182",
  urlInText: "canary-url-in-text-16180",
  clientSecret: "canary-client-secret-57721",
  uuid: "3f2b8c1d-9e4a-4f6b-8d7c-0a1b2c3d4e5f",
  mapKey: "canary-map-key-66260",
  inBase64: "canary-in-base64-29979",
} as const;

const base64 = (text: string) => Buffer.from(text).toString("base64");
const bytes = (text: string, before: string) =>
  Buffer.from(text).toString("hex").replace(/../g, `${before}$&`);

/** Functions that encode a secret as text, keyed by the name of the encoding. */
export const encodings: Readonly<Record<string, (secret: string) => string>> = {
  unchanged: (secret) => secret,
  "in capitals": (secret) => secret.toUpperCase(),
  "percent-encoded": encodeURIComponent,
  "percent-encoded in full": (secret) => bytes(secret, "%"),
  "percent-encoded twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  base64,
  "base64 with one byte before the secret": (secret) => base64(`:${secret}.`),
  "base64 with two bytes before the secret": (secret) => base64(`u:${secret}..`),
  base64url: (secret) => Buffer.from(`user:${secret}`).toString("base64url"),
  "base64, percent-encoded": (secret) => encodeURIComponent(base64(secret)),
  "base64 twice": (secret) => base64(base64(secret)),
  "escaped for JSON": (secret) => bytes(secret, "\\u00"),
  "in a JSON string": (secret) => JSON.stringify({ note: secret }),
  "in a JSON string in a JSON string": (secret) => JSON.stringify({ a: JSON.stringify([secret]) }),
  "in a URL": (secret) => `https://catalogue.example/x/${secret}?page=1#top`,
  "in the middle of a word": (secret) => `before${secret}after`,
};

/** Checks whether text contains a secret, unchanged or in any encoding. */
export function canBeRead(text: string, secret: string): boolean {
  const lower = text.toLowerCase();
  return Object.values(encodings).some((encode) => {
    const form = encode(secret).toLowerCase();
    // The text around a secret affects the first and last characters of its base64 form.
    const core = form.length > secret.length ? form.slice(4, -4) : form;
    return [form, core].some((each) => each.length >= 8 && lower.includes(each));
  });
}
