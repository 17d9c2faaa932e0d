// A page for trying the API by hand. It loads nothing from elsewhere.
"use strict";

const $ = (id) => document.getElementById(id);
const endpoint = new URL("/graphql", location.href);
const examples = {
  Remember: [
    'mutation Remember($input: RememberInput!) {\n  remember(input: $input) {\n    memory { id type tier salience entities { name type } }\n    promoted\n    conflictsWith\n  }\n}',
    { input: { content: "Ada prefers her reviews before noon.", consent: "EXPLICIT", user: "ada" } },
  ],
  Search: [
    'query Search($input: SearchInput!) {\n  search(input: $input) {\n    hits { score label parts { semantic keyword recency } memory { id content createdAt } }\n    weights { semantic keyword }\n    latencyMs\n  }\n}',
    { input: { query: "When does Ada want reviews?", topK: 5 } },
  ],
  "Live events": ['subscription {\n  memoryEvents { cursor kind id at memory { content status } }\n}', {}],
  Health: ['{ health { score status memories entities details } whoami { tenant name } }', {}],
};

let running = null;

async function ask(query, variables, onAnswer, signal) {
  const headers = { "Content-Type": "application/json", Accept: "application/graphql-response+json, application/json;q=0.9" };
  if ($("auth").value) headers.Authorization = $("auth").value;
  if (/^\s*subscription\b/m.test(query)) headers.Accept = "text/event-stream";
  const response = await fetch(endpoint, { method: "POST", headers, body: JSON.stringify({ query, variables }), signal });
  if (!(response.headers.get("Content-Type") ?? "").startsWith("text/event-stream")) {
    onAnswer(await response.json());
    return;
  }
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (event.startsWith("event: next") && data) onAnswer(JSON.parse(data.slice(6)));
    }
  }
}

async function run() {
  if (running) running.abort();
  running = new AbortController();
  const mine = running;
  const began = performance.now();
  $("result").textContent = "";
  $("stop").disabled = false;
  $("state").textContent = "running";
  let answers = 0;
  try {
    const variables = $("variables").value.trim() ? JSON.parse($("variables").value) : {};
    await ask($("query").value, variables, (answer) => {
      answers++;
      $("result").textContent = JSON.stringify(answer, null, 2) + "\n" + (answers > 1 ? "\n" + $("result").textContent : "");
      $("state").textContent = `${answers} answer${answers > 1 ? "s" : ""}, ${Math.round(performance.now() - began)} ms`;
    }, mine.signal);
  } catch (error) {
    if (error.name !== "AbortError") $("result").textContent = String(error);
    $("state").textContent = error.name === "AbortError" ? "stopped" : "failed";
  } finally {
    if (running === mine) $("stop").disabled = true;
  }
}

const typeName = (t) => t.kind === "NON_NULL" ? typeName(t.ofType) + "!" : t.kind === "LIST" ? `[${typeName(t.ofType)}]` : t.name;

function element(tag, text, parent) {
  const e = document.createElement(tag);
  if (text) e.textContent = text;
  parent.append(e);
  return e;
}

function describe(type) {
  const box = document.createElement("details");
  element("summary", `${type.kind.toLowerCase().replace("_object", "")} ${type.name}`, box);
  element("p", type.description, box);
  const list = element("dl", "", box);
  for (const f of type.fields ?? type.inputFields ?? type.enumValues ?? []) {
    const args = f.args?.length ? `(${f.args.map((a) => `${a.name}: ${typeName(a.type)}${a.defaultValue ? " = " + a.defaultValue : ""}`).join(", ")})` : "";
    element("dt", `${f.name}${args}${f.type ? ": " + typeName(f.type) : ""}${f.defaultValue ? " = " + f.defaultValue : ""}`, list);
    if (f.description) element("dd", f.description, list);
  }
  return box;
}

const reference = "fragment R on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }";
const introspection = `query Docs { __schema { types { kind name description
  fields { name description type { ...R } args { name defaultValue type { ...R } } }
  inputFields { name description defaultValue type { ...R } }
  enumValues { name description } } } } ${reference}`;

async function docs() {
  await ask(introspection, {}, (answer) => {
    if (!answer.data) {
      $("docs").textContent = answer.errors?.[0]?.message ?? "no schema";
      return;
    }
    const first = ["Query", "Mutation", "Subscription"];
    const types = answer.data.__schema.types.filter((t) => !t.name.startsWith("__"));
    types.sort((a, b) => first.includes(b.name) - first.includes(a.name) || a.name.localeCompare(b.name));
    const boxes = types.map((t) => [JSON.stringify(t).toLowerCase(), describe(t)]);
    $("docs").replaceChildren(...boxes.map(([, box]) => box));
    $("find").addEventListener("input", () => {
      const wanted = $("find").value.toLowerCase();
      for (const [text, box] of boxes) box.hidden = !text.includes(wanted);
    });
  });
}

function choose(name) {
  const [query, variables] = examples[name];
  $("query").value = query;
  $("variables").value = Object.keys(variables).length ? JSON.stringify(variables, null, 2) : "";
}

for (const name of Object.keys(examples)) element("option", name, $("examples"));
$("examples").addEventListener("change", () => choose($("examples").value));
$("run").addEventListener("click", run);
$("stop").addEventListener("click", () => running?.abort());
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") run();
});
choose("Remember");
docs().catch((error) => { $("docs").textContent = String(error); });
