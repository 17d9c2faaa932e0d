// graphql-transport-ws: the client of graphql-ws, and the close codes by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CloseCode, createClient } from "graphql-ws";
import WebSocket from "ws";
import { ask, guardedSocketURL, remember, socketURL } from "./api.mjs";

const guarded = guardedSocketURL ? {} : { skip: "SOMNOGRAPH_GUARDED_URL is not set" };
const client = (options = {}) => createClient({ url: socketURL, webSocketImpl: WebSocket, retryAttempts: 0, ...options });

test("a query, then a mutation, over one socket", async () => {
  const c = client({ lazy: false, onNonLazyError: assert.fail });
  for await (const answer of c.iterate({ query: "{ whoami { tenant } }" })) {
    assert.deepEqual(answer, { data: { whoami: { tenant: "default" } } });
  }
  const query = `mutation ($c: String!) { remember(input: {content: $c, consent: EXPLICIT, onDuplicate: INSERT}) { memory { content } } }`;
  for await (const answer of c.iterate({ query, variables: { c: "over a socket" } })) {
    assert.equal(answer.data.remember.memory.content, "over a socket");
  }
  await c.dispose();
});

test("a subscription resumes behind its cursor without loss or repeat", async () => {
  const query = `subscription ($after: String) { memoryEvents(after: $after) { cursor kind id memory { content } } }`;
  const c = client();
  const first = c.iterate({ query });
  const opened = first.next();
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
  const seen = [];
  for await (const answer of c.iterate({ query, variables: { after: start.cursor } })) {
    const event = answer.data.memoryEvents;
    if (event.kind === "CREATED") seen.push(event.id);
    if (seen.length >= expected.length) break;
  }
  assert.deepEqual(seen, expected);
  await c.dispose();
});

test("a sleep is followed from N1 to its report, and its morning report comes live", async () => {
  const c = client();
  const progress = c.iterate({ query: "subscription { sleepProgress { reportId phase done total steps { verb from to } } }" });
  const mornings = c.iterate({ query: "subscription { sleepReports { id kind completedAt balance { in kept merged archived left } } }" });
  const firsts = Promise.all([progress.next(), mornings.next()]);
  // A stream stands some time after it was asked for: sleep until both have heard of one.
  let opened;
  while (!opened) {
    await ask("mutation { sleep(input: {deep: false}) { report { id } } }");
    opened = await Promise.race([firsts, new Promise((r) => setTimeout(r, 20))]);
  }
  const asked = await ask("mutation { sleep { report { id completedAt } } }");
  const { id } = asked.sleep.report;
  assert.ok(asked.sleep.report.completedAt);
  const order = ["N1", "N2", "N3", "REM", "REPORT"];
  const phases = [];
  for await (const { data } of progress) {
    if (data.sleepProgress.reportId !== id) continue;
    phases.push(order.indexOf(data.sleepProgress.phase));
    if (data.sleepProgress.phase === "REPORT") break;
  }
  assert.equal(phases[0], 0);
  assert.deepEqual(phases, phases.toSorted());
  for await (const { data } of mornings) {
    const { id: at, kind, completedAt, balance: b } = data.sleepReports;
    if (at !== id) continue;
    assert.equal(kind, "DEEP");
    assert.ok(completedAt);
    assert.equal(b.in, b.kept + b.merged + b.archived + b.left);
    break;
  }
  const listed = await ask("{ sleepReports(first: 2) { nodes { id kind } pageInfo { hasNextPage } } sleepStatus { running { id } last { id } } }");
  assert.deepEqual(listed.sleepReports.nodes.map((n) => n.kind), ["DEEP", "LIGHT"]);
  assert.equal(listed.sleepStatus.last.id, id);
  await c.dispose();
});

test("an invalid operation is an error message with codes, and the socket lives on", async () => {
  const c = client();
  const failed = new Promise((resolve, reject) =>
    c.subscribe({ query: "{ nope }" }, { next: reject, complete: () => reject(new Error("complete behind error")), error: resolve }));
  const errors = await failed;
  assert.equal(errors[0].extensions.code, "INVALID_REQUEST");
  for await (const answer of c.iterate({ query: "{ whoami { tenant } }" })) assert.ok(answer.data);
  await c.dispose();
});

test("the server answers pings", async () => {
  const c = client({ lazy: false, onNonLazyError: assert.fail, keepAlive: 20 });
  await new Promise((resolve) => c.on("pong", (received) => received && resolve()));
  await c.dispose();
});

// raw speaks the protocol by hand and answers how the socket was closed.
function raw(steps, { url = socketURL, protocols = ["graphql-transport-ws"], headers } = {}) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocols, { headers });
    const messages = [];
    let next = 0;
    const proceed = () => {
      while (next < steps.length && steps[next] !== "wait") socket.send(steps[next++]);
      next++;
    };
    socket.on("open", proceed);
    socket.on("message", (data) => {
      messages.push(JSON.parse(data));
      proceed();
    });
    socket.on("error", reject); // behind a resolve it changes nothing
    socket.on("unexpected-response", (request, response) => {
      resolve({ status: response.statusCode });
      request.destroy();
    });
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason), messages }));
  });
}

const init = JSON.stringify({ type: "connection_init" });
const subscribe = (id, query = "subscription { memoryEvents { id } }") => JSON.stringify({ id, type: "subscribe", payload: { query } });

test("4400 for what is no message", async (t) => {
  for (const [name, bad] of Object.entries({
    "no JSON": "}{",
    "an array": "[]",
    "an unknown type": JSON.stringify({ type: "start", id: "1" }),
    "a subscribe without an id": JSON.stringify({ type: "subscribe", payload: { query: "{ health { score } }" } }),
    "a subscribe without a query": JSON.stringify({ type: "subscribe", id: "1", payload: {} }),
    "binary": Buffer.from(init),
    "an init with a payload that is no object": JSON.stringify({ type: "connection_init", payload: 7 }),
  })) {
    await t.test(name, async () => {
      const steps = name.includes("subscribe") ? [init, "wait", bad] : [bad];
      assert.equal((await raw(steps)).code, CloseCode.BadRequest);
    });
  }
});

test("4401 for a subscribe before the connection is acknowledged", async () => {
  assert.equal((await raw([subscribe("1")])).code, CloseCode.Unauthorized);
});

test("4403 for credentials that are not accepted", guarded, async () => {
  const refused = await raw([JSON.stringify({ type: "connection_init", payload: { Authorization: "Bearer wrong" } })], { url: guardedSocketURL });
  assert.equal(refused.code, CloseCode.Forbidden);
  assert.equal(refused.reason, "Forbidden");
});

test("credentials in connection_init, or in the request", guarded, async () => {
  const inInit = createClient({ url: guardedSocketURL, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { Authorization: "Bearer letmein" } });
  for await (const answer of inInit.iterate({ query: "{ whoami { tenant } }" })) assert.equal(answer.data.whoami.tenant, "default");
  await inInit.dispose();
  const done = await raw([init, "wait", init], { url: guardedSocketURL, headers: { Authorization: "Bearer letmein" } });
  assert.equal(done.messages[0].type, "connection_ack");
});

test("4406 without the subprotocol", async () => {
  assert.equal((await raw([], { protocols: [] })).code, CloseCode.SubprotocolNotAcceptable);
});

test("4408 where no connection_init comes", guarded, async () => {
  assert.equal((await raw([], { url: guardedSocketURL })).code, CloseCode.ConnectionInitialisationTimeout);
});

test("4409 for an id in use", async () => {
  const closed = await raw([init, "wait", subscribe("same"), subscribe("same")]);
  assert.equal(closed.code, CloseCode.SubscriberAlreadyExists);
  assert.equal(closed.reason, "Subscriber for same already exists");
});

test("an id may be used again when its operation is over", async () => {
  const again = subscribe("1", "{ whoami { tenant } }");
  const complete = JSON.stringify({ id: "2", type: "complete" });
  // ack; next, complete; next, complete; a subscription ended by the client under an id that is used again at once
  const closed = await raw([init, "wait", again, "wait", "wait", again, "wait", "wait", subscribe("2"), complete, subscribe("2"), complete, init]);
  assert.equal(closed.code, CloseCode.TooManyInitialisationRequests);
  assert.deepEqual(closed.messages.slice(0, 5).map((m) => m.type), ["connection_ack", "next", "complete", "next", "complete"]);
});

test("4429 for a second connection_init", async () => {
  assert.equal((await raw([init, "wait", init])).code, CloseCode.TooManyInitialisationRequests);
});

test("4429 for too many operations at once", guarded, async () => {
  const closed = await raw([init, "wait", subscribe("1"), subscribe("2"), subscribe("3")], { url: guardedSocketURL, headers: { Authorization: "Bearer letmein" } });
  assert.equal(closed.code, CloseCode.TooManyInitialisationRequests);
  assert.match(closed.reason, /operations at once/);
});

test("a foreign page is refused before the upgrade", async () => {
  assert.equal((await raw([], { headers: { Origin: "https://evil.example" } })).status, 403);
});
