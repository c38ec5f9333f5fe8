// "Try it": a form that sends requests to the sandbox inside the page, without a network, and shows the same call as
// TypeScript and curl. It has a page of its own; the service page opens it in a dialog.
import {
  caseHeader,
  curlSample,
  targetOf,
  typescriptSample,
  type CallRequest,
} from "../../scripts/docs/samples.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { codeBlock } from "./code-block.js";
import { element } from "./element.js";

/** An operation with the request of its typical recording. */
interface Call extends CallRequest {
  /** Recorded cases that the sandbox can replay, with their status. */
  cases: [name: string, status: number][];
}

/** Every operation, filled in by the build. */
declare const CALLS: readonly Call[];

const sandbox = createSandbox();

function createForm() {
  const ids = CALLS.map(({ id }) => element("option", {}, id));
  const operation = element("select", {}, ...ids);
  const fields = element("div", { className: "fields" });
  const samples = element("div", { className: "samples" });
  const status = element("p", { role: "status" });
  const output = element("div");
  const send = element("button", { type: "submit", className: "send" }, "Send");
  const form = element("form", { className: "try-form" });
  form.append(element("label", {}, "Operation", operation), fields, samples, send, status, output);
  const chosen = () => CALLS.find(({ id }) => id === operation.value)!;

  /** The request that the fields describe. @throws {SyntaxError} the body is not JSON */
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
      const blocks = [typescriptSample(call), curlSample(call)];
      samples.replaceChildren(codeBlock("TypeScript", blocks[0]!), codeBlock("curl", blocks[1]!));
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
    output.replaceChildren(
      codeBlock("Headers", headers.join("\n")),
      codeBlock("Body", body && JSON.stringify(JSON.parse(body), null, 2)),
    );
  });

  return { form, show };
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
    ...(body === undefined
      ? []
      : [field("Body", element("input", { name: "body", value: JSON.stringify(body) }))]),
    field("Recorded case", element("select", { name: "case" }, first, ...options)),
  ];
}

function field(label: string, input: HTMLInputElement | HTMLSelectElement): HTMLElement {
  input.autocomplete = "off";
  return element("label", {}, label, input);
}

async function sendToSandbox(call: CallRequest) {
  const { method, query, body } = call;
  const search = new URLSearchParams(query).toString();
  const target = targetOf(call) + (search && `?${search}`);
  const response = await sandbox.fetch(`http://sandbox.invalid${target}`, {
    method: method.toUpperCase(),
    headers: { authorization: "Bearer any-token", ...(call.case && caseHeader(call.case)) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { target, response };
}

const { form, show } = createForm();
const place = document.getElementById("try-form");
if (place) {
  place.append(form);
  show("movies.watchProviders");
} else {
  const close = element("button", { type: "button", className: "close", ariaLabel: "Close" }, "×");
  const heading = element("h2", { id: "try-title" }, "Try it in the sandbox");
  const dialog = element("dialog", { className: "try-dialog" }, close, heading, form);
  dialog.setAttribute("aria-labelledby", heading.id);
  document.body.append(dialog);
  close.addEventListener("click", () => dialog.close());
  document.addEventListener("click", ({ target }) => {
    const opener = target instanceof Element ? target.closest<HTMLElement>("[data-try]") : null;
    if (!opener) return;
    show(opener.dataset["try"]!);
    dialog.showModal();
  });
}
