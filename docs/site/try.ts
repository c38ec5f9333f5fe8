// The "Try it" form sends requests to a sandbox inside the page, without a network, and shows the current
// request as TypeScript and curl. The form has its own page. On a method's page, a button opens the form.
import { codeBlock } from "../../scripts/docs/highlight.js";
import {
  caseHeader,
  curlSample,
  targetOf,
  typescriptSample,
  type CallRequest,
} from "../../scripts/docs/samples.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { element } from "./element.js";

/** An operation, with the request for its typical example response. */
interface Call extends CallRequest {
  /** The example responses that the sandbox can return. */
  cases: [name: string, status: number][];
}

/** Every operation. The build fills in this constant. */
declare const CALLS: readonly Call[];

const sandbox = createSandbox();

/** Creates a form. @param fixed the ID of the only operation; by default, the user can choose */
function createForm(fixed?: string): HTMLElement {
  const ids = CALLS.map(({ id }) => element("option", {}, id));
  const operation = element("select", { value: fixed ?? "" }, ...ids);
  const fields = element("div", { className: "fields" });
  const samples = element("div");
  const status = element("p", { role: "status" });
  const output = element("div");
  const send = element("button", { type: "submit", className: "try" }, "Send");
  const form = element("form", { className: "try-form" });
  if (fixed === undefined) form.append(element("label", {}, "Operation", operation));
  form.append(fields, send, status, output, samples);
  const chosen = () => CALLS.find(({ id }) => id === operation.value)!;

  /** Reads the request from the form's fields. @throws {SyntaxError} if the body is not JSON */
  const request = (): CallRequest => {
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name));
    const { body, ...call } = chosen();
    return {
      ...call,
      values: call.values.map(([name]) => [name, text(`path.${name}`)]),
      query: Object.fromEntries(new URLSearchParams(text("query"))),
      ...(body !== undefined && { body: JSON.parse(text("body")) as unknown }),
      case: text("case") || undefined,
    };
  };

  const showSamples = () => {
    try {
      const call = request();
      samples.innerHTML =
        codeBlock("TypeScript program", typescriptSample(call)) +
        codeBlock("curl command", curlSample(call));
      status.textContent = "";
    } catch (error) {
      status.textContent = `The body is not JSON: ${(error as Error).message}`;
    }
  };

  const show = (id: string) => {
    operation.value = id;
    fields.replaceChildren(...fieldsOf(chosen()));
    showSamples();
    output.replaceChildren();
  };

  operation.addEventListener("change", () => show(operation.value));
  fields.addEventListener("input", showSamples);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    showSamples();
    if (status.textContent) return;
    const call = request();
    const { target, response } = await sendToSandbox(call);
    const headers = [...response.headers].map((pair) => pair.join(": "));
    const body = await response.text();
    status.textContent = `${response.status} from ${call.method.toUpperCase()} ${target}`;
    output.innerHTML =
      codeBlock("Body", body && JSON.stringify(JSON.parse(body), null, 2)) +
      codeBlock("Headers", headers.join("\n"));
  });
  show(fixed ?? "movies.watchProviders");
  return form;
}

function fieldsOf({ values, query, body, cases }: Call): HTMLElement[] {
  const options = cases.map(([name, status]) =>
    element("option", { value: name }, `${name} (${status})`),
  );
  const first = element("option", { value: "" }, "best match");
  const placeholder = "name=value&name=value";
  const search = new URLSearchParams(query).toString();
  return [
    ...values.map(([name, value]) =>
      field(name, element("input", { name: `path.${name}`, value, required: true })),
    ),
    field("Query", element("input", { name: "query", value: search, placeholder })),
    field("Example response", element("select", { name: "case" }, first, ...options)),
    ...(body === undefined
      ? []
      : [field("Body", element("input", { name: "body", value: JSON.stringify(body) }))]),
  ];
}

function field(label: string, input: HTMLInputElement | HTMLSelectElement): HTMLElement {
  input.autocomplete = "off";
  return element("label", {}, label, input);
}

async function sendToSandbox(call: CallRequest) {
  const { method, body } = call;
  const target = targetOf(call);
  const response = await sandbox.fetch(`http://sandbox.invalid${target}`, {
    method: method.toUpperCase(),
    headers: { authorization: "Bearer any-token", ...(call.case && caseHeader(call.case)) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { target, response };
}

document.getElementById("try-form")?.append(createForm());

const button = document.querySelector<HTMLButtonElement>("[data-try]");
button?.addEventListener("click", () => {
  const form = createForm(button.dataset["try"]);
  button.replaceWith(form);
  form.scrollIntoView();
  form.querySelector<HTMLElement>("input, select")!.focus({ preventScroll: true });
});
