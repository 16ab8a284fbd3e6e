import { PROBLEM_MEDIA_TYPE, type Problem, problem } from "../http/contract/problem.ts";
import type { Cell } from "../ports/records/cell-registry-record.ts";
import { mayReadCluster, type Scope } from "../query/access/scope.ts";
import type { AskCell, CellReply, CellRequest } from "./ask-cell.ts";
import { type CellRegistry, isIn } from "./cell-registry.ts";

/** A cell whose Jobs an answer lacks. */
export interface UnavailableCell {
  readonly cell: string;
  readonly reason: string;
  /** Its clusters, as far as the reader may know them. */
  readonly clusters: readonly string[];
}

export interface CellAnswer<Body> {
  readonly cell: Cell;
  readonly body: Body;
}

/** What the cells answered to one question. */
export type FannedOut<Body> =
  | {
      readonly outcome: "answered";
      readonly answers: readonly CellAnswer<Body>[];
      readonly unavailable: readonly UnavailableCell[];
      /** Cells in which the reader has no grants. */
      readonly withoutGrants: readonly Cell[];
    }
  /** A cell refused the request itself, or no cell answered. */
  | { readonly outcome: "refused"; readonly problem: Problem };

/** One reader, and the cells to ask in its name. */
export interface CellReader {
  readonly registry: CellRegistry;
  readonly ask: AskCell;
  readonly headers: Headers;
  /** What the reader may see, by the settings of this stage. Each cell decides for itself. */
  readonly scope: Scope;
}

/** An API answers within 29 s, and a summary may ask twice. */
const TIMEOUT_MILLIS = 13_000;

/** Asks all these cells at once. `targetOf` returns the path and query for a cell. */
export async function fanOut<Body>(
  reader: CellReader,
  cells: readonly Cell[],
  targetOf: (cell: Cell) => string,
): Promise<FannedOut<Body>> {
  const replies = await Promise.all(
    cells.map(async (cell) => ({ cell, reply: await replyOf<Body>(reader, cell, targetOf(cell)) })),
  );
  const answers: CellAnswer<Body>[] = [];
  const unavailable: UnavailableCell[] = [];
  const withoutGrants: Cell[] = [];
  let noGrants: Problem | undefined;
  for (const { cell, reply } of replies) {
    switch (reply.outcome) {
      case "answered":
        answers.push({ cell, body: reply.body });
        break;
      case "unavailable":
        unavailable.push(unavailableCell(reader, cell, reply.reason));
        break;
      case "noGrants":
        withoutGrants.push(cell);
        noGrants = reply.problem;
        break;
      case "refused":
        return reply;
    }
  }
  if (answers.length > 0) return { outcome: "answered", answers, unavailable, withoutGrants };
  const refusal = unavailable.length === 0 && noGrants ? noGrants : cellsUnavailable(unavailable);
  return { outcome: "refused", problem: refusal };
}

/** The statement that an answer lacks the Jobs of a cell. */
export function unavailableCell({ registry, scope }: CellReader, { name }: Cell, reason: string): UnavailableCell {
  const clusters = Object.keys(registry.clusters).filter(
    (cluster) => isIn(registry.clusters[cluster], name) && mayReadCluster(scope, cluster),
  );
  return { cell: name, reason, clusters: clusters.sort() };
}

export function cellsUnavailable(cells: readonly Pick<UnavailableCell, "cell" | "reason">[]): Problem {
  const reasons = cells.map(({ cell, reason }) => `Cell "${cell}" is not available: ${reason}`).join(" ");
  return problem("cell-unavailable", `${reasons} Retry in a moment.`);
}

type Reply<Body> =
  | { readonly outcome: "answered"; readonly body: Body }
  | { readonly outcome: "unavailable"; readonly reason: string }
  | { readonly outcome: "noGrants"; readonly problem: Problem }
  | { readonly outcome: "refused"; readonly problem: Problem };

async function replyOf<Body>({ ask, headers }: CellReader, cell: Cell, target: string): Promise<Reply<Body>> {
  const request: CellRequest = { target, headers, timeoutMillis: TIMEOUT_MILLIS };
  return bodyOf(await ask(cell, request));
}

/** 403 means that this reader may see nothing in the cell: as in one stage, that is an empty answer. */
async function bodyOf<Body>(reply: CellReply): Promise<Reply<Body>> {
  if (reply.outcome === "unavailable") return reply;
  const { response } = reply;
  const { status } = response;
  const body = await jsonOf(response);
  if (status === 200 && body !== undefined) return { outcome: "answered", body: body as Body };
  const isOwn = response.headers.get("content-type")?.startsWith(PROBLEM_MEDIA_TYPE) === true;
  if (!isOwn) return { outcome: "unavailable", reason: `Its answer (${status}) is not from an Outlive API.` };
  return replyOfProblem(body as Problem, status);
}

function replyOfProblem(refusal: Problem, status: number): Exclude<Reply<never>, { readonly outcome: "answered" }> {
  if (refusal.type === NO_ROUTE) return { outcome: "unavailable", reason: "Its address is wrong: no such route." };
  if (refusal.type === NO_GRANTS) return { outcome: "noGrants", problem: refusal };
  if (status === 401 || status === 403) {
    return { outcome: "unavailable", reason: `It does not accept the reader's credentials (${status}).` };
  }
  if (status < 500) return { outcome: "refused", problem: refusal };
  return { outcome: "unavailable", reason: `It answered ${status}: ${refusal.title}.` };
}

const NO_ROUTE = problem("no-such-route", "").type;
const NO_GRANTS = problem("forbidden", "").type;

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    // The connection ended within the body, or the body is not JSON.
    if (cause instanceof SyntaxError || cause instanceof TypeError || cause instanceof DOMException) return undefined;
    throw cause;
  }
}
