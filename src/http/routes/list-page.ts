import * as v from "valibot";
import type { Paged } from "../../query/list/page.ts";
import { pageOf } from "../contract/components.ts";
import { cursorParameter, flagParameter, limitParameter } from "../contract/parameters.ts";
import { problem } from "../contract/problem.ts";
import type { Reply } from "../contract/route.ts";

/** The most items of a page, and the default. */
const MAX_LIMIT = 1_000;
export const STANDARD_LIMIT = 100;

/** The parameters of every route that returns pages. */
export const PAGE_QUERY = {
  limit: v.exactOptional(limitParameter(MAX_LIMIT, STANDARD_LIMIT)),
  cursor: v.exactOptional(cursorParameter),
};

/** The parameter of lists that are merged over cells. */
export const ITEM_CURSORS_QUERY = {
  itemCursors: v.exactOptional(
    flagParameter("`true`: also return `cursors`, a cursor for the page after each item. For merging lists."),
  ),
};

/** The answer of a list with this parameter. */
export function mergeablePageOf(item: v.GenericSchema): v.GenericSchema {
  return v.object({
    ...pageOf(item).entries,
    cursors: v.exactOptional(
      v.pipe(v.array(v.string()), v.description("With `itemCursors`: a cursor for the page after each item.")),
    ),
  });
}

/** The reply with one page. */
export function replyWithPage(page: Paged<unknown>, itemCursors = false): Reply {
  switch (page.outcome) {
    case "listed": {
      const { items, nextCursor, cursorAfter } = page;
      const cursors = itemCursors && cursorAfter && items.map((_, index) => cursorAfter(index));
      return { body: { items, nextCursor, ...(cursors && { cursors }) } };
    }
    case "badCursor":
      return { problem: problem("bad-cursor", page.problem) };
  }
}
