import type { SortedRange } from "../../query/list/list-sorted-jobs.ts";
import { pathWith, type Query } from "../../http/contract/api-paths.ts";
import { isProblem, type Problem } from "../../http/contract/problem.ts";
import { ApiError, NotFoundError } from "./api-error.ts";
import { gatewayRefusal } from "./gateway-refusal.ts";

/** Sends `GET path` to the API of a server, or to the API in this process over a database file. */
export interface ApiClient {
  readonly request: (path: string) => Promise<Response>;
  /**
   * Whether the server can stream, which a Lambda function cannot. There, a request that waits occupies the function.
   * Absent if no server is involved.
   */
  readonly canStream?: () => Promise<boolean>;
  /** Names the API in error messages. */
  readonly name: string;
  readonly close: () => Promise<void>;
}

/**
 * The answer to `GET path?query`, in the shape of the route's contract.
 * Throws NotFoundError for status 404 and ApiError for every other problem.
 */
export async function getJson<Answer>(api: ApiClient, path: string, query: Query = {}): Promise<Answer> {
  const result = await tryGetJson<Answer>(api, path, query);
  if (result.outcome === "answered") return result.answer;
  throw apiError(result.problem);
}

export function apiError({ status, detail }: Problem): ApiError {
  return status === 404 ? new NotFoundError(detail, { status }) : new ApiError(detail, { status });
}

export type ApiResult<Answer> =
  | { readonly outcome: "answered"; readonly answer: Answer }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** As {@link getJson}, but returns a problem instead of throwing it. */
export async function tryGetJson<Answer>(api: ApiClient, path: string, query: Query = {}): Promise<ApiResult<Answer>> {
  const response = await api.request(pathWith(path, query));
  const { status } = response;
  const body = await jsonOf(api, response);
  if (response.ok) return { outcome: "answered", answer: body as Answer };
  if (isProblem(body)) return { outcome: "refused", problem: body };
  const unknown = `${api.name} answered ${status} without a reason. Check that an Outlive server runs there.`;
  throw new ApiError(gatewayRefusal(api.name, status, body) ?? unknown, { status });
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
  readonly sorted?: SortedRange;
}

export interface Items<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
  /** The range that was sorted, if the order is not by creation. */
  readonly sorted?: SortedRange;
}

/** Items of a list, page by page. `limit` bounds their number; `more` is true if there are further ones. */
export async function getItems<Item>(
  api: ApiClient,
  path: string,
  { limit = Number.POSITIVE_INFINITY, ...query }: Query & { readonly limit?: number },
): Promise<Items<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  let sorted: SortedRange | undefined;
  do {
    const page: Page<Item> = await getJson(api, path, {
      ...query,
      limit: Math.min(PAGE, limit - items.length),
      cursor,
    });
    // Another server may answer, or an earlier version of Outlive whose lists have another form.
    const listed: unknown = page.items;
    if (!Array.isArray(listed)) {
      throw new ApiError(
        `${api.name} did not answer with a list. Check that an Outlive server of this version runs there.`,
      );
    }
    items.push(...page.items);
    ({ nextCursor: cursor, sorted } = page);
  } while (cursor !== undefined && items.length < limit);
  return { items, more: cursor !== undefined, ...(sorted && { sorted }) };
}

const PAGE = 500;

async function jsonOf(api: ApiClient, response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError(`${api.name} did not answer with JSON. Check that an Outlive server runs there.`, {
      cause,
      status: response.status,
    });
  }
}
