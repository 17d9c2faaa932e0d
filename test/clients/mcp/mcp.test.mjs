// The official TypeScript client of MCP, over streamable HTTP and over standard input and output.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { url } from "../api.mjs";

const bin = process.env.SOMNOGRAPH_BIN;
if (!bin) throw new Error("SOMNOGRAPH_BIN must name the built binary");
const origin = new URL(url).origin;
const space = (name) => `ts_${name}_${Date.now().toString(36)}`; // a namespace of this run

// folder is a temporary directory that ends with the test.
function folder(t) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "somnograph-mcp-")));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

// connect connects a client; answer is what its user says to questions.
async function connect(t, transport, answer) {
  const client = new Client({ name: "ts-client", version: "1" }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, async (request) => answer(request.params));
  await client.connect(transport);
  t.after(() => client.close());
  return client;
}

const overHTTP = (t, path) => connect(t, new StreamableHTTPClientTransport(new URL(origin + path)));

// overStdio starts somnograph mcp as an agent does.
function overStdio(t, { args = [], env = {}, cwd = folder(t), answer } = {}) {
  const transport = new StdioClientTransport({
    command: bin, args: ["mcp", ...args], cwd, stderr: "ignore",
    env: { PATH: process.env.PATH, HOME: cwd, XDG_DATA_HOME: join(cwd, "share"), ...env },
  });
  return connect(t, transport, answer);
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  const text = result.content.map((part) => part.text).join("");
  return { text, isError: result.isError === true };
}

async function rememberThenRecall(client) {
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === "remember" && tool.inputSchema.required[0] === "text"));
  assert.match((await call(client, "remember", { text: "The spare key is in the blue box.", asked: true })).text, /^Remembered: id=/);
  const found = await call(client, "recall", { query: "Where is the spare key?" });
  assert.match(found.text, /"The spare key is in the blue box\."/);
  assert.deepEqual(await call(client, "recall", { question: "?" }), {
    text: "INVALID_REQUEST: question: is no argument of this tool, which has query, limit, asOf, allProjects; query is required",
    isError: true,
  });
}

test("remember, then recall over HTTP", async (t) => rememberThenRecall(await overHTTP(t, `/mcp/${space("http")}`)));

test("resources over HTTP", async (t) => {
  const client = await overHTTP(t, `/mcp/${space("resources")}`);
  const { text } = await call(client, "remember", { text: "Lina teaches sailing." });
  const uri = `somnograph://memory/${text.slice(-36)}`;
  const { contents } = await client.readResource({ uri });
  assert.equal(JSON.parse(contents[0].text).text, "Lina teaches sailing.");
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
});

test("remember, then recall over stdio with a running server", async (t) => {
  const namespace = space("stdio");
  await rememberThenRecall(await overStdio(t, { args: ["--addr", origin, "--namespace", namespace] }));
  const found = await call(await overHTTP(t, `/mcp/${namespace}`), "recall", { query: "spare key" });
  assert.match(found.text, /blue box/, "the running server has the memory");
});

test("stdio without a server keeps memories for the next start, and for two agents at once", async (t) => {
  const dir = folder(t);
  const args = ["--data", join(dir, "memory")];
  const env = { HOME: dir }; // with the keys of the directory
  const first = await overStdio(t, { args, env });
  await rememberThenRecall(first);
  const second = await overStdio(t, { args, env }); // the first one has the directory open
  assert.match((await call(second, "recall", { query: "spare key" })).text, /blue box/);
  await first.close();
  await call(second, "remember", { text: "The boat house is locked at nine." }); // it takes the directory over
  await second.close();
  const third = await overStdio(t, { args, env });
  assert.match((await call(third, "recall", { query: "When is the boat house locked?" })).text, /at nine/);
});

test("the project is the Git repository of the working directory, in every work tree", async (t) => {
  const dir = folder(t);
  const git = (...a) => execFileSync("git", ["-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org", ...a], { stdio: "ignore" });
  git("init", "atlas");
  git("-C", "atlas", "commit", "--allow-empty", "-m", "one");
  git("-C", "atlas", "worktree", "add", "../beside", "-b", "beside");
  const args = ["--addr", origin, "--namespace", space("projects")];
  const main = await overStdio(t, { args, cwd: join(dir, "atlas") });
  await call(main, "remember", { text: "Deploys run from the release branch." });
  const recall = async (options) => (await call(await overStdio(t, { args, ...options }), "recall", { query: "Which branch do deploys run from?" })).text;
  assert.match(await recall({ cwd: join(dir, "beside") }), /release branch/);
  assert.doesNotMatch(await recall({ args: [...args, "--project", "other"] }), /release branch/);
});

test("forget asks the user of a client that can ask, over stdio", async (t) => {
  const asked = [];
  let action = "decline";
  const client = await overStdio(t, {
    args: ["--addr", origin, "--namespace", space("forget")],
    answer: (params) => {
      asked.push(params.message);
      return action === "accept" ? { action, content: { erase: true } } : { action };
    },
  });
  const { text } = await call(client, "remember", { text: "My locker code is 4711." });
  const ids = [text.slice(-36)];
  assert.match((await call(client, "forget", { ids })).text, /did not agree/);
  action = "accept";
  assert.match((await call(client, "forget", { ids })).text, /^Erased 1 memory/);
  assert.deepEqual(asked, Array(2).fill('Erase 1 memory for good? "My locker code is 4711.", with all versions.'));
});
