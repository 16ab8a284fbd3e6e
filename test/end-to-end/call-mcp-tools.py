"""Lists and calls the tools with the Python SDK of the Model Context Protocol; prints the sentences as JSON.

Usage: call-mcp-tools.py CALLS URL [TOKEN], or call-mcp-tools.py CALLS COMMAND ARGUMENT...
CALLS is a JSON list of [tool, arguments]. The SDK checks structured content by the schemas of the tools.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


async def call_all(streams, calls):
    async with ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        sentences = {"tools": [tool.name for tool in tools]}
        for name, arguments in calls:
            result = await session.call_tool(name, arguments)
            sentences[name] = json.loads(result.content[0].text)["sentence"]
        print(json.dumps(sentences))


async def main(calls, target, *arguments):
    if target.startswith("http"):
        async with streamable_http_client(target) as streams:
            await call_all(streams, calls)
    else:
        async with stdio_client(StdioServerParameters(command=target, args=list(arguments))) as streams:
            await call_all(streams, calls)


asyncio.run(main(json.loads(sys.argv[1]), *sys.argv[2:]))
