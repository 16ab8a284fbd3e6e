import type { ApiResult, ListPage } from "./api-result.ts";
import type { Load } from "./live.ts";
import { type Parameters, request } from "./request.ts";

export interface ReadPages<Item> {
  readonly items: readonly Item[];
  /** Whether there are more items. */
  readonly more: boolean;
}

/** MAX_LIMIT of src/http/routes/reply-with-page.ts. */
export const LONG_PAGE = 1_000;

export interface PagedRequest {
  readonly path: string;
  readonly parameters: Parameters;
  /** The most items to read. */
  readonly most: number;
  readonly pageSize: number;
}

/** Reads a list in the longest pages. */
export function loadPages<Item>(request: Omit<PagedRequest, "pageSize">): Load<ReadPages<Item>> {
  return (signal) => readPages<Item>({ ...request, pageSize: LONG_PAGE }, signal);
}

/** Reads a list page by page. */
export async function readPages<Item>(
  { path, parameters, most, pageSize }: PagedRequest,
  signal: AbortSignal,
): Promise<ApiResult<ReadPages<Item>>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    // Each page starts where the one before ended.
    const page = await request<ListPage<Item>>(path, { ...parameters, limit: pageSize, cursor }, signal);
    if (page.outcome !== "answered") return page;
    items.push(...page.answer.items);
    cursor = page.answer.nextCursor;
  } while (cursor !== undefined && items.length < most);
  return { outcome: "answered", answer: { items, more: cursor !== undefined }, at: Date.now() };
}
