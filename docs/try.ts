// "Try it": a form that sends GET requests to the sandbox inside the page, without a network.
// The landing page shows it in place; the service page opens it in a dialog. scripts/docs/build.ts bundles this file.
import { createSandbox } from "../src/sandbox/index.js";

/** A GET operation with the request of its typical recording. */
interface Call {
  id: string;
  /** The path template. */
  path: string;
  values: [name: string, value: string][];
  query: Record<string, string>;
  /** Recorded cases that the sandbox can replay. */
  cases: string[];
}

/** Every GET operation, filled in by the build. */
declare const CALLS: readonly Call[];

const sandbox = createSandbox();

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

function createForm() {
  const ids = CALLS.map(({ id }) => element("option", {}, id));
  const operation = element("select", {}, ...ids);
  const fields = element("div", { className: "fields" });
  const status = element("p", { role: "status" });
  const output = element("div", { className: "output" });
  const send = element("button", { type: "submit", className: "send" }, "Send");
  const form = element("form", { className: "try-form" });
  form.append(element("label", {}, "Operation", operation), fields, send, status, output);

  const show = (id: string) => {
    const call = CALLS.find((each) => each.id === id) ?? CALLS[0]!;
    operation.value = call.id;
    const values = call.values.map(([name, value]) =>
      element("label", {}, name, element("input", { name, value, autocomplete: "off" })),
    );
    const query = new URLSearchParams(call.query).toString();
    const placeholder = "name=value&name=value";
    const cases = call.cases.map((name) => element("option", { value: name }, name));
    fields.replaceChildren(
      ...values,
      element("label", {}, "Query", element("input", { name: "?", value: query, placeholder })),
      element(
        "label",
        {},
        "Recorded case",
        element(
          "select",
          { name: "case" },
          element("option", { value: "" }, "best match"),
          ...cases,
        ),
      ),
    );
    status.textContent = "";
    output.replaceChildren();
  };

  operation.addEventListener("change", () => show(operation.value));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { path } = CALLS.find(({ id }) => id === operation.value)!;
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name));
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(text(name)),
    );
    const query = text("?") && `?${new URLSearchParams(text("?")).toString()}`;
    const headers = new Headers({ authorization: "Bearer any-token" });
    if (data.get("case")) headers.set("sandbox-case", text("case"));
    const response = await sandbox.fetch(`http://sandbox.invalid${target}${query}`, { headers });
    const lines = [...response.headers].map((pair) => pair.join(": "));
    status.textContent = `Status ${response.status} from GET ${target}${query}`;
    output.replaceChildren(
      ...block("Headers", lines.join("\n")),
      ...block("Body", JSON.stringify(await response.json(), null, 2)),
    );
  });

  show("movies.watchProviders");
  return { form, show };
}

function block(title: string, text: string): HTMLElement[] {
  const pre = element("pre", { tabIndex: 0, role: "region", ariaLabel: title }, text);
  return [element("h3", {}, title), pre];
}

const { form, show } = createForm();
const place = document.getElementById("try-form");
if (place) place.append(form);
else {
  const close = element("button", { type: "button", className: "close", ariaLabel: "Close" }, "×");
  const heading = element("h2", { id: "try-title" }, "Try it in the sandbox");
  const dialog = element("dialog", { className: "try-dialog" }, close, heading, form);
  dialog.setAttribute("aria-labelledby", heading.id);
  document.body.append(dialog);
  close.addEventListener("click", () => dialog.close());
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-try]") : null;
    if (!button) return;
    show(button.dataset["try"]!);
    dialog.showModal();
  });
}
