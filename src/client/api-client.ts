import type { Problem } from "../http/contract/problem.ts";
import { CommandFailure } from "../command-line/command-failure.ts";
import { gatewayRefusal } from "./gateway-refusal.ts";

/** Answers `GET path`: a server elsewhere, or the API within this process over a database file. One path for both, so that both answer the same. */
export interface Api {
  readonly request: (path: string) => Promise<Response>;
  /** What to call it in an error. */
  readonly name: string;
  readonly close: () => Promise<void>;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The answer to `GET path?query`, of the shape that the route's contract gives it. Problems end the command with the problem's own sentence. */
export async function ask<Answer>(api: Api, path: string, query: Query = {}): Promise<Answer> {
  const reply = await tryAsk<Answer>(api, path, query);
  if (reply.outcome === "answered") return reply.answer;
  // As kubectl has it, what is not there is an answer; everything else is a matter of use.
  const { status, detail } = reply.problem;
  throw new CommandFailure(status === 404 ? 1 : 2, status === 401 ? `${detail} ${HERE_A_TOKEN}` : detail);
}

const HERE_A_TOKEN = "On the command line that is --token TOKEN, or OUTLIVE_TOKEN.";

export type ApiReply<Answer> =
  | { readonly outcome: "answered"; readonly answer: Answer }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** As {@link ask}, for callers to whom a problem is an answer. */
export async function tryAsk<Answer>(api: Api, path: string, query: Query = {}): Promise<ApiReply<Answer>> {
  const response = await api.request(`${path}${searchOf(query)}`);
  const body = await jsonOf(api, response);
  if (response.ok) return { outcome: "answered", answer: body as Answer };
  if (isProblem(body)) return { outcome: "refused", problem: body };
  throw new CommandFailure(
    2,
    gatewayRefusal(api.name, response.status, body) ??
      `${api.name} answered ${response.status} and no reason: check that an Outlive server runs there.`,
  );
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

export interface Items<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
}

/** Up to `limit` items of a list, page by page; `more` where there are further ones. */
export async function askPages<Item>(api: Api, path: string, query: Query, limit: number): Promise<Items<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<Item> = await ask(api, path, { ...query, limit: Math.min(PAGE, limit - items.length), cursor });
    // Some other server, or an Outlive that was here before lists had this shape.
    const given: unknown = page.items;
    if (!Array.isArray(given)) {
      throw new CommandFailure(
        2,
        `${api.name} did not answer with a list: check that an Outlive of this version runs there.`,
      );
    }
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && items.length < limit);
  return { items, more: cursor !== undefined };
}

const PAGE = 500;

/** The path of one Job's answers. */
export function jobPath(
  job: { readonly cluster: string; readonly namespace: string; readonly name: string },
  part = "",
): string {
  const [cluster, namespace, name] = [job.cluster, job.namespace, job.name].map(encodeURIComponent);
  return `/v1/clusters/${cluster}/namespaces/${namespace}/jobs/${name}${part}`;
}

function searchOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

async function jsonOf(api: Api, response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandFailure(
      2,
      `${api.name} answered something that is not JSON: check that an Outlive server runs there.`,
      { cause },
    );
  }
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === "object" && body !== null && "detail" in body && typeof body.detail === "string" && "status" in body
  );
}
