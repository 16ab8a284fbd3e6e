import { read } from "../../../src/http/mcp/ask.ts";
import type { ToolContext } from "../../../src/http/mcp/tool.ts";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { storesWithFacts, tell } from "../stores/stores-with-facts.ts";
import { contextOver } from "./recorded-tools.ts";

/** What the tools need over stores in memory with these facts of cluster "east", and others by cluster. */
export async function contextWith(
  facts: readonly Fact[],
  others: Readonly<Record<string, readonly Fact[]>> = {},
): Promise<ToolContext> {
  const stores = await storesWithFacts(facts);
  for (const [cluster, told] of Object.entries(others)) await tell(stores, told, { cluster });
  return contextOver(inProcessClient(stores, "the stores"));
}

/** The answer of a route. */
export async function answerOf<Answer>({ ask }: ToolContext, path: string): Promise<Answer> {
  return read<Answer>(ask, path);
}
