// Server-sent events in distinct connections, as graphql-sse speaks them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "graphql-sse";
import { remember, url } from "./api.mjs";

const client = (options = {}) => createClient({ url, retryAttempts: 0, ...options });

test("a query is one answer, then complete", async () => {
  const answers = [];
  for await (const answer of client().iterate({ query: "{ whoami { tenant } }" })) answers.push(answer);
  assert.deepEqual(answers, [{ data: { whoami: { tenant: "default" } } }]);
});

test("a mutation too", async () => {
  const query = `mutation { remember(input: {content: "over events", consent: EXPLICIT, onDuplicate: INSERT}) { memory { content } } }`;
  for await (const answer of client().iterate({ query })) assert.equal(answer.data.remember.memory.content, "over events");
});

test("an invalid operation comes as a next event with a code", async () => {
  const answers = [];
  for await (const answer of client().iterate({ query: "{ nope }" })) answers.push(answer);
  assert.equal(answers.length, 1);
  assert.equal(answers[0].errors[0].extensions.code, "INVALID_REQUEST");
});

test("a subscription resumes behind its cursor without loss or repeat", async () => {
  const query = `subscription ($after: String) { memoryEvents(after: $after) { cursor kind id } }`;
  const seen = [];
  const first = client().iterate({ query });
  const opened = first.next();
  // The stream begins "from now": write until the first event is there.
  const ids = [];
  let begun;
  while (!begun) {
    ids.push(await remember(`before the break ${ids.length}`));
    begun = await Promise.race([opened, new Promise((r) => setTimeout(r, 20))]);
  }
  const start = begun.value.data.memoryEvents;
  await first.return();
  for (let i = 0; i < 3; i++) ids.push(await remember(`behind the break ${i}`));
  const expected = ids.slice(ids.indexOf(start.id) + 1);
  for await (const answer of client().iterate({ query, variables: { after: start.cursor } })) {
    const event = answer.data.memoryEvents;
    if (event.kind === "CREATED") seen.push(event.id);
    if (seen.length >= expected.length) break;
  }
  assert.deepEqual(seen, expected);
});

test("complete has a data line, so that an EventSource fires it", async () => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify({ query: "{ whoami { tenant } }" }),
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type"), /^text\/event-stream/);
  assert.match(await response.text(), /event: complete\ndata: \n\n$/);
});

test("a GET streams a query but changes nothing", async () => {
  const get = (query) => fetch(`${url}?query=${encodeURIComponent(query)}`, { headers: { Accept: "text/event-stream" } });
  assert.match(await (await get("{ whoami { tenant } }")).text(), /event: next\ndata: {"data"/);
  const refused = await get(`mutation { expire(id: "x") { id } }`);
  assert.equal(refused.status, 405);
});
