import type { ApiResult, ListPage } from "./api-result.ts";
import { type Parameters, request } from "./request.ts";

export interface ReadPages<Item> {
  readonly items: readonly Item[];
  /** Whether there are more items. */
  readonly more: boolean;
}

export interface PagedRequest {
  readonly path: string;
  readonly parameters: Parameters;
  /** The most items to read. */
  readonly most: number;
  readonly pageSize: number;
  /** @default pageSize */
  readonly firstPage?: number;
}

/** Reads a list page by page. `onPage` receives the items so far, so that the first rows appear early. */
export async function readPages<Item>(
  { path, parameters, most, pageSize, firstPage = pageSize }: PagedRequest,
  signal: AbortSignal,
  onPage?: (soFar: readonly Item[]) => void,
): Promise<ApiResult<ReadPages<Item>>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  let limit = firstPage;
  do {
    // Each page starts where the one before ended.
    const page = await request<ListPage<Item>>(path, { ...parameters, limit, cursor }, signal);
    if (page.outcome !== "answered") return page;
    items.push(...page.answer.items);
    cursor = page.answer.nextCursor;
    limit = pageSize;
    if (cursor !== undefined) onPage?.(items);
  } while (cursor !== undefined && items.length < most);
  return { outcome: "answered", answer: { items, more: cursor !== undefined }, at: Date.now() };
}
