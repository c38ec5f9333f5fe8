import { standIn, type Secrets } from "./secrets.js";

/** `=`, `:` and quotes as they occur around a value in running text: plain, JSON-escaped, percent-encoded, HTML. */
const QUOTE = String.raw`(?:\\*["']|&quot;|%(?:25)*22)?`;
const SEPARATOR = String.raw`(?:${QUOTE}\s*(?:[:=]|%(?:25)*3[ad])\s*${QUOTE})`;
const NAME = String.raw`(?<![\w-])[\w-]*(?:token|secret|passw(?:or)?d|session[_-]?id|api[_-]?key|jwt)`;
const VALUE = String.raw`(?:[\w.~+/=-]|%(?:25)*(?:2[bf]|3d)){8,}`;
const ASSIGNMENT = new RegExp(`(${NAME}${SEPARATOR})(${VALUE})`, "gi");
/** A word that follows "bearer" is a token where it has a digit or a capital: "bearer authentication" has none. */
const SCHEME =
  /\b([Bb]earer|BEARER|[Bb]asic)((?:\s|\+|%(?:25)*20)+)(?=[a-z]*[\dA-Z])([\w.~+/=-]{8,})/g;
const JWT = /eyJ[\w-]{8,}(?:\.[\w-]*)*/g;
const USERINFO = /(?<=:\/\/)([^/?#\s@]+)@/g;

/** A text with stand-ins for known secrets, and for what looks like one by its form or by the name beside it. */
export function hideInText(text: string, secrets: Secrets): string {
  if (text.length < 8) return text;
  const found = (value: string) => {
    secrets.learn(value);
    return standIn(value);
  };
  return secrets
    .hide(text)
    .replace(JWT, found)
    .replace(ASSIGNMENT, (_, name: string, value: string) => `${name}${found(value)}`)
    .replace(
      SCHEME,
      (_, scheme: string, gap: string, value: string) => `${scheme}${gap}${found(value)}`,
    )
    .replace(USERINFO, (_, info: string) => {
      for (const part of info.split(":")) secrets.learn(part);
      return "";
    });
}
