"""Loads a toolset file as HolmesGPT does, and calls tools of it: [[tool, parameters], ...] on standard input."""

import json
import sys
from types import SimpleNamespace

from holmes.core.toolset_manager import ToolsetManager

_, file = sys.argv
(toolset,) = ToolsetManager(custom_toolsets=[file])._load_toolsets_from_paths([file], [])
toolset.check_prerequisites()
tools = {tool.name: tool for tool in toolset.tools}
results = []
if toolset.status.value == "enabled":
    for name, parameters in json.load(sys.stdin):
        result = tools[name]._invoke(parameters, SimpleNamespace(request_context=None))
        results.append({"status": result.status.value, "data": str(result.data), "error": result.error})
print(json.dumps({"status": toolset.status.value, "error": toolset.error, "tools": sorted(tools), "results": results}))
