"""Loads a toolset file as HolmesGPT does, and calls tools of it: [[tool, parameters], ...] on standard input."""

import json
import sys
from holmes.core.tools import ToolInvokeContext
from holmes.core.toolset_manager import ToolsetManager

_, file = sys.argv
(toolset,) = ToolsetManager(custom_toolsets=[file])._load_toolsets_from_paths([file], [])
toolset.check_prerequisites()
tools = {tool.name: tool for tool in toolset.tools}
results = []
if toolset.status.value == "enabled":
    for name, parameters in json.load(sys.stdin):
        # Without a language model, which no tool here needs.
        context = ToolInvokeContext.model_construct(tool_name=name, tool_call_id="1")
        result = tools[name]._invoke(parameters, context)
        results.append({"status": result.status.value, "data": str(result.data), "error": result.error})
print(json.dumps({"status": toolset.status.value, "error": toolset.error, "tools": sorted(tools), "results": results}))
