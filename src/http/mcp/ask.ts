import { pathWith, type Query } from "../contract/api-paths.ts";
import type { Problem } from "../contract/problem.ts";

/** What a route of the API answered. */
export type Reply =
  | {
      readonly outcome: "answered";
      readonly answer: unknown;
      /** Warnings of the API that concern all answers now. */
      readonly warnings?: readonly string[];
    }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** Sends `GET path` to the API, as the reader whom the tools answer. */
export type Ask = (path: string) => Promise<Reply>;

/** The API refused a request of a tool. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** The answer of a route, in the shape of its contract. Throws RefusedError for a problem. */
export async function read<Answer>(ask: Ask, path: string, query: Query = {}): Promise<Answer> {
  const reply = await ask(pathWith(path, query));
  if (reply.outcome === "refused") throw new RefusedError(reply.problem);
  return reply.answer as Answer;
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}
