import type { CellReply } from "../../../src/cells/ask-cell.ts";
import type { CellRegistry } from "../../../src/cells/cell-registry.ts";
import type { CellReader } from "../../../src/cells/fan-out.ts";
import type { Problem } from "../../../src/http/contract/problem.ts";

/** A reader of everything, whose cells answer as a test says; and what they were asked. */
export function cellReader(
  registry: CellRegistry,
  answer: (cell: string, target: string) => CellReply,
): CellReader & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    asked,
    registry,
    scope: "everything",
    headers: new Headers(),
    ask: async ({ name }, { target }) => {
      asked.push(`${name} ${target}`);
      return answer(name, target);
    },
  };
}

export function answering(body: unknown): CellReply {
  return { outcome: "replied", response: new Response(JSON.stringify(body)) };
}

export function refusing(body: Problem): CellReply {
  const headers = { "content-type": "application/problem+json" };
  return { outcome: "replied", response: new Response(JSON.stringify(body), { status: body.status, headers }) };
}

export const SILENT: CellReply = { outcome: "unavailable", reason: "It is silent." };
