// GraphQL over HTTP: the audits of graphql-http, each a test of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serverAudits } from "graphql-http";
import { url } from "./api.mjs";

const audits = serverAudits({ url, fetchFn: fetch });

test("there are 61 audits", () => assert.equal(audits.length, 61));

for (const audit of audits) {
  test(`${audit.id} ${audit.name}`, async () => {
    const result = await audit.fn();
    assert.equal(result.status, "ok", result.reason);
  });
}
