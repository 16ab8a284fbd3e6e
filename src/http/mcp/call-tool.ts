import { type Answer, cutAnswer } from "./answer.ts";
import { type Ask, RefusedError } from "./ask.ts";
import { markedText } from "./marked.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { errorResult, refusedResult, ToolError, UNAVAILABLE } from "./tool-error.ts";

/** The result of a tool: its answer, cut to the size of a result, or what to do instead. */
export async function callTool(tool: Tool, context: ToolContext, given: Readonly<Record<string, unknown>>) {
  const warnings = new Set<string>();
  const ask: Ask = async (path) => {
    const reply = await context.ask(path);
    if (reply.outcome === "answered") for (const warning of reply.warnings ?? []) warnings.add(warning);
    return reply;
  };
  try {
    const answer = await tool.answer({ ...context, ask }, given);
    return cutAnswer(warnings.size === 0 ? answer : withWarnings(answer, [...warnings]));
  } catch (error) {
    if (error instanceof ToolError) return errorResult(error);
    if (error instanceof RefusedError) return refusedResult(error.problem);
    // The text of an unexpected error is for operators, not for the agent.
    context.onError(error instanceof Error ? error : new Error(String(error)));
    return errorResult(new ToolError(UNAVAILABLE));
  }
}

function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  return { ...answer, head: { ...answer.head, warnings: warnings.map(markedText) } };
}
