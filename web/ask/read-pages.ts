import { ask, type Parameters } from "./ask.ts";
import type { Asked, ListPage } from "./asked.ts";

export interface ReadPages<Item> {
  readonly items: readonly Item[];
  /** Whether there are more items. */
  readonly more: boolean;
}

/**
 * Reads a list page by page, up to `most` items. `onPage` receives the items so far, so that the first rows appear
 * early.
 */
export async function readPages<Item>(
  path: string,
  parameters: Parameters,
  {
    most,
    pageSize,
    firstPage = pageSize,
  }: { readonly most: number; readonly pageSize: number; readonly firstPage?: number },
  signal: AbortSignal,
  onPage?: (soFar: readonly Item[]) => void,
): Promise<Asked<ReadPages<Item>>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  let limit = firstPage;
  do {
    // Each page starts where the one before ended.
    const page = await ask<ListPage<Item>>(path, { ...parameters, limit, cursor }, signal);
    if (page.outcome !== "answered") return page;
    items.push(...page.answer.items);
    cursor = page.answer.nextCursor;
    limit = pageSize;
    if (cursor !== undefined) onPage?.(items);
  } while (cursor !== undefined && items.length < most);
  return { outcome: "answered", answer: { items, more: cursor !== undefined }, at: Date.now() };
}
