// Uses every tool, resource and prompt with the official TypeScript SDK, over stdio and HTTP. The SDK validates each
// structured result against the schema of its tool.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const calls = JSON.parse(readFileSync(process.env.SOUL_CALLS, "utf8"));
const { SOUL, SOUL_WORK, SOUL_URL } = process.env;

async function use(name, transport) {
  const client = new Client({ name: "typescript", version: "1.0" }, { capabilities: { elicitation: {} } });
  let asked = 0;
  const updated = [];
  client.setRequestHandler(ElicitRequestSchema, async () => {
    asked += 1;
    return { action: "accept", content: { confirm: true } };
  });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, (message) => updated.push(message.params.uri));
  await client.connect(transport);
  await client.subscribeResource({ uri: "soul://agent/ada" });
  // The stream for notifications opens on its own.
  await new Promise((done) => setTimeout(done, 200));
  const { tools } = await client.listTools();
  const called = new Set();
  for (const [tool, given] of calls.tools) {
    let values = given;
    if (Object.values(given).includes("$digest")) {
      const before = await client.callTool({ name: "soul_inspect", arguments: { agent: "ada" } });
      const { contents } = await client.readResource({ uri: "soul://agent/ada" });
      const changed = { $digest: before.structuredContent.digest, $changed: `${contents[0].text}\nChanged over ${name}.\n` };
      values = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, changed[value] ?? value]));
    }
    const result = await client.callTool({ name: tool, arguments: values });
    assert.equal(result.isError, false, `${tool}: ${JSON.stringify(result)}`);
    assert.ok(result.structuredContent && result.content[0].text, tool);
    called.add(tool);
  }
  assert.deepEqual(tools.map((tool) => tool.name).filter((tool) => !called.has(tool)), []);
  assert.equal(asked, 1);
  for (const [tool, values, code] of calls.failures) {
    const result = await client.callTool({ name: tool, arguments: values });
    assert.equal(result.isError, true, tool);
    assert.ok(code === null || result.content[0].text.startsWith(`${code}:`), JSON.stringify(result));
  }
  await assert.rejects(client.callTool({ name: "soul_steal", arguments: {} }), /-32602/);
  for (const uri of calls.resources) {
    assert.ok((await client.readResource({ uri })).contents[0].text, uri);
  }
  const { resources } = await client.listResources();
  assert.ok(resources.some((resource) => resource.uri === "soul://library/ops"));
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 3);
  const { prompts } = await client.listPrompts();
  for (const prompt of calls.prompts) {
    assert.ok(prompts.some((listed) => listed.name === prompt), prompt);
    const got = await client.getPrompt({ name: prompt, arguments: { task: "Review it." } });
    assert.match(got.messages[0].content.text, /Review it\./);
  }
  for (let waited = 0; updated.length === 0 && waited < 50; waited += 1) {
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.ok(updated.includes("soul://agent/ada"), "a change of a followed resource is reported");
  await client.close();
  console.log(`TypeScript, ${name}: ${tools.length} tools`);
}

const args = ["mcp", "--tools", "all", "--grant", "soul.write"];
const env = { ...process.env, SOUL_HOME: `${SOUL_WORK}/home` };
await use("stdio", new StdioClientTransport({ command: SOUL, args, env, cwd: `${SOUL_WORK}/team` }));
await use("HTTP", new StreamableHTTPClientTransport(new URL(`${SOUL_URL}/mcp?tools=all&grant=soul.write`)));
