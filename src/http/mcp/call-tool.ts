import { cutAnswer } from "./answer.ts";
import { RefusedError } from "./ask.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { errorResult, refusedResult, ToolError } from "./tool-error.ts";

/** The result of a tool: its answer, cut to the size of a result, or what to do instead. */
export async function callTool(tool: Tool, context: ToolContext, given: Readonly<Record<string, unknown>>) {
  try {
    return cutAnswer(await tool.answer(context, given));
  } catch (error) {
    if (error instanceof ToolError) return errorResult(error);
    if (error instanceof RefusedError) return refusedResult(error.problem);
    throw error;
  }
}
