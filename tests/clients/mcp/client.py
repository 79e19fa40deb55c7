"""Uses every tool, resource and prompt with the official Python SDK, over stdio and HTTP, with and without a handshake.
The SDK validates each structured result against the schema of its tool; so do we, with jsonschema."""

import asyncio
import json
import os
import sys
from pathlib import Path

import jsonschema
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ElicitResult

CALLS = json.loads((Path(__file__).parent / "calls.json").read_text())
SOUL, WORK, URL = os.environ["SOUL"], Path(os.environ["SOUL_WORK"]), os.environ["SOUL_URL"]


async def confirm(context, params):
    confirm.asked += 1
    return ElicitResult(action="accept", content={"confirm": True})


async def use(client, name):
    confirm.asked = 0
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    called = set()
    for tool, arguments in CALLS["tools"]:
        if "$digest" in arguments.values():
            before = (await client.call_tool("soul_inspect", {"agent": "ada"})).structured_content
            text = (await client.read_resource("soul://agent/ada")).contents[0].text
            changed = {"$digest": before["digest"], "$changed": text + f"\nChanged over {name}.\n"}
            arguments = {key: changed.get(value, value) for key, value in arguments.items()}
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, (tool, result)
        jsonschema.validate(result.structured_content, tools[tool].output_schema)
        assert result.content[0].text, tool
        called.add(tool)
    assert called >= set(tools), set(tools) - called
    assert confirm.asked == 1, confirm.asked
    for tool, arguments, code in CALLS["failures"]:
        result = await client.call_tool(tool, arguments)
        assert result.is_error, (tool, result)
        assert code is None or result.content[0].text.startswith(code + ":"), result
    try:
        await client.call_tool("soul_steal", {})
        raise AssertionError("an unknown tool was called")
    except MCPError as error:
        assert error.code == -32602, error
    listed = {str(resource.uri) for resource in (await client.list_resources()).resources}
    assert {"soul://agent/ada", "soul://library/ops"} <= listed, listed
    assert len((await client.list_resource_templates()).resource_templates) == 3
    for uri in CALLS["resources"]:
        assert (await client.read_resource(uri)).contents[0].text, uri
    prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
    assert set(CALLS["prompts"]) <= prompts, prompts
    for prompt in CALLS["prompts"]:
        got = await client.get_prompt(prompt, {"task": "Review it."})
        assert "Review it." in got.messages[0].content.text, got
    history = (await client.call_tool("soul_history", {"agent": "ada"})).structured_content
    actor = history["revisions"][0]["actor"]
    assert actor["kind"] == "client" and actor["ref"].startswith("mcp"), actor
    print(f"{name}: {len(tools)} tools, protocol {client.protocol_version}")


async def main():
    arguments = ["mcp", "--tools", "all", "--grant", "soul.write"]
    environment = {"SOUL_HOME": str(WORK / "home")}
    server = StdioServerParameters(command=SOUL, args=arguments, env=environment, cwd=WORK / "team")
    for mode in ["legacy", "auto"]:
        for name, target in [("stdio", server), ("HTTP", f"{URL}/mcp?tools=all&grant=soul.write")]:
            async with Client(target, mode=mode, elicitation_callback=confirm, read_timeout_seconds=20) as client:
                await use(client, f"Python, {name}, {mode}")


asyncio.run(main())
