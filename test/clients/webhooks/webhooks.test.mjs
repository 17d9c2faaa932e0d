// Webhooks of a real server to a real receiver, verified by the library of Standard Webhooks.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";

const dir = await mkdtemp(join(tmpdir(), "somnograph-webhooks-"));
let server;
let port = 0;

async function start() {
  const args = ["serve", "--addr", `127.0.0.1:${port}`, "--data", join(dir, "data"), "--keys", join(dir, "keys"), "--webhooks-allow-private"];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SOMNOGRAPH_")));
  server = spawn(process.env.SOMNOGRAPH_BIN, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface(server.stdout)) {
    const found = line.match(/graphql +http:\/\/127\.0\.0\.1:(\d+)\//);
    if (found) port = Number(found[1]);
    if (line.startsWith("ready in")) return;
  }
  throw new Error("the server did not start");
}

async function stop(signal) {
  const exited = once(server, "exit");
  server.kill(signal);
  await exited;
}

async function ask(query, variables) {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

const remember = async (content) =>
  (await ask(`mutation($c: String!) { remember(input: {content: $c, consent: EXPLICIT}) { memory { id } } }`, { c: content })).remember.memory.id;

// receiver collects messages. answer says the status of each.
async function receiver(answer = () => 204) {
  const got = [];
  const http = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      const status = answer(got.length);
      if (status < 300) got.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const until = async (n) => {
    while (got.length < n) await new Promise((resolve) => setTimeout(resolve, 10));
    return got;
  };
  return { got, until, url: `http://127.0.0.1:${http.address().port}/memory`, close: () => http.close() };
}

const create = `mutation($url: String!) { createWebhook(input: {url: $url, content: true}) { secret webhook { id } } }`;

before(start);
after(async () => {
  await stop("SIGTERM");
  await rm(dir, { recursive: true, force: true });
});

test("the official library accepts a message, and refuses a changed one", { timeout: 30_000 }, async () => {
  const endpoint = await receiver();
  const { secret, webhook } = (await ask(create, { url: endpoint.url })).createWebhook;
  const id = await remember("The winch is kept in the shed.");
  const [message] = await endpoint.until(1);
  const verified = new Webhook(secret).verify(message.body, message.headers);
  assert.equal(verified.type, "fact.stated");
  assert.equal(verified.data.memory, id);
  assert.deepEqual(verified.data.facts.map((f) => [f.subject, f.object]), [["winch", "shed"]]);
  assert.throws(() => new Webhook(secret).verify(message.body.replace("shed", "boat"), message.headers));
  const { webhooks } = await ask(`{ webhooks { id url delivered deadLetters { message } } }`);
  assert.deepEqual(webhooks.map((w) => w.url), [endpoint.url]);
  assert.doesNotMatch(JSON.stringify(webhooks), new RegExp(secret.slice(6, 30).replace(/[+/]/g, ".")));
  await ask(`mutation($id: ID!) { deleteWebhook(id: $id) { id } }`, { id: webhook.id });
  endpoint.close();
});

test("a message that was not accepted is sent again, under the same id", { timeout: 30_000 }, async () => {
  let calls = 0;
  const endpoint = await receiver(() => (++calls === 1 ? 500 : 204));
  const { secret, webhook } = (await ask(create, { url: endpoint.url })).createWebhook;
  await remember("The anchor is kept in the bow.");
  for (;;) {
    const [w] = (await ask(`{ webhooks { attempts lastError nextAttemptAt } }`)).webhooks;
    if (w.attempts === 0) continue;
    assert.deepEqual([w.attempts, w.lastError], [1, "the endpoint answered with status 500"]);
    break;
  }
  await ask(`mutation($id: ID!) { retryWebhook(id: $id) { id } }`, { id: webhook.id });
  const [message] = await endpoint.until(1);
  assert.equal(new Webhook(secret).verify(message.body, message.headers).type, "fact.stated");
  await ask(`mutation($id: ID!) { deleteWebhook(id: $id) { id } }`, { id: webhook.id });
  endpoint.close();
});

test("a server that is killed continues where it stopped, in order", { timeout: 60_000 }, async () => {
  const endpoint = await receiver();
  const { secret } = (await ask(create, { url: endpoint.url })).createWebhook;
  const ids = [];
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 15; n++) ids.push(await remember(`Crate ${n} of row ${round} weighs ${n * 13 + round} kg.`));
    await stop("SIGKILL");
    await start();
  }
  const order = () => [...new Set(endpoint.got.map((m) => new Webhook(secret).verify(m.body, m.headers).data.memory))];
  while (order().length < ids.length) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(order(), ids);
  const perMessage = new Map(endpoint.got.map((m) => [m.headers["webhook-id"], m.body]));
  assert.equal(perMessage.size, ids.length);
  endpoint.close();
});
