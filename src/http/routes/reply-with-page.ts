import * as v from "valibot";
import type { Paged } from "../../query/list/page.ts";
import { cursorParameter, limitParameter } from "../contract/parameters.ts";
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

/** The reply with one page. */
export function replyWithPage(page: Paged<unknown>): Reply {
  switch (page.outcome) {
    case "listed":
      return { body: { items: page.items, nextCursor: page.nextCursor } };
    case "badCursor":
      return { problem: problem("bad-cursor", page.problem) };
  }
}
