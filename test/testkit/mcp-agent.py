"""An agent of OpenAI's Agents SDK whose tools are those of an MCP server."""

import asyncio
import json
import sys

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI


async def main() -> None:
    given = json.load(sys.stdin)
    set_tracing_disabled(True)
    params = {"url": given["mcp"], "headers": {"Authorization": given["authorization"]}}
    client = AsyncOpenAI(base_url=given["llm"], api_key="none")
    async with MCPServerStreamableHttp(params=params, client_session_timeout_seconds=60) as server:
        agent = Agent(
            name="visitor",
            instructions="Greet with your tools.",
            model=OpenAIChatCompletionsModel(model=given["model"], openai_client=client),
            mcp_servers=[server],
        )
        tools = [tool.name for tool in await server.list_tools()]
        # The scripted model streams its answers.
        result = Runner.run_streamed(agent, given["say"])
        async for _event in result.stream_events():
            pass
    print(json.dumps({"tools": tools, "answer": str(result.final_output)}))


asyncio.run(main())
