// The official TypeScript client of MCP in its current major, which speaks revision 2026-07-28.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { url } from "../api.mjs";

const bin = process.env.SOMNOGRAPH_BIN;
if (!bin) throw new Error("SOMNOGRAPH_BIN must name the built binary");
const origin = new URL(url).origin;

const transports = {
  "over HTTP": () => new StreamableHTTPClientTransport(new URL(`${origin}/mcp/current_${Date.now().toString(36)}`)),
  "over standard input and output": (t) => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), "somnograph-mcp-")));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    return new StdioClientTransport({
      command: bin, args: ["mcp", "--data", join(dir, "data")], cwd: dir, stderr: "ignore", env: { PATH: process.env.PATH, HOME: dir },
    });
  },
};

for (const [name, transport] of Object.entries(transports)) {
  test(`remember, recall, follow and forget ${name}`, async (t) => {
    const client = new Client({ name: "current", version: "1" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } });
    const asked = [];
    client.setRequestHandler("elicitation/create", async (request) => {
      asked.push(request.params.message);
      return { action: "accept", content: { erase: true } };
    });
    const updated = new Promise((resolve) => client.setNotificationHandler("notifications/resources/updated", (note) => resolve(note.params.uri)));
    t.after(() => client.close());
    await client.connect(transport(t));
    assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
    const call = async (tool, args) => {
      const result = await client.callTool({ name: tool, arguments: args });
      return (result.isError ? "error: " : "") + result.content.map((part) => part.text).join("");
    };
    const id = /id=(\S+)/.exec(await call("remember", { text: "The spare key is in the blue box.", asked: true }))[1];
    assert.match(await call("recall", { query: "Where is the spare key?" }), /blue box/);
    assert.equal(await call("recall", { question: "?" }), "error: INVALID_REQUEST: question: is no argument of this tool, which has query, limit, asOf, allProjects; query is required");

    const uri = `somnograph://lineage/${id}`;
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    assert.match(await call("correct", { id, text: "The spare key is in the red box." }), /version 2/);
    assert.equal(await updated, uri);
    await subscription.close();
    const { contents } = await client.readResource({ uri });
    assert.deepEqual(JSON.parse(contents[0].text).map((version) => version.version), [1, 2]);
    await assert.rejects(client.readResource({ uri: "somnograph://memory/x" }), { code: -32602, message: "Resource not found" });

    assert.match(await call("forget", { ids: [id] }), /^Erased 2 memories/);
    assert.equal(asked.length, 1);
    assert.match(await call("history", { id }), /^error: MEMORY_NOT_FOUND/);
  });
}
