// Writes a soul and reads it back, with types that were generated from the OpenAPI document.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const body = "---\nrole: Reviewer\n---\nName the line of every defect.\n";
const client = createClient<paths>({ baseUrl: process.env["SOUL_URL"] });
const path = { name: "typescript" };

const written = await client.PUT("/api/agents/{name}/soul", { params: { path }, body: { body, create: true } });
assert.equal(written.data?.revision.action, "put", JSON.stringify(written.error));

const read = await client.GET("/api/agents/{name}/soul", { params: { path } });
const soul: components["schemas"]["InspectedSoul"] | undefined = read.data;
assert.ok(soul?.valid);
assert.equal(soul.digest, written.data?.soul.digest);

const history = await client.GET("/api/agents/{name}/soul/history", { params: { path, query: { bodies: true } } });
assert.deepEqual(history.data?.revisions.map((revision) => revision.body), [body]);

const stale = await client.PUT("/api/agents/{name}/soul", { params: { path }, body: { body: "Stale.\n" } });
const failure: components["schemas"]["Failure"] | undefined = stale.error;
assert.equal(failure?.error.code, "soul_conflict");
assert.equal(failure.error.current_digest, soul.digest);
console.log("the TypeScript client wrote and read a soul");
