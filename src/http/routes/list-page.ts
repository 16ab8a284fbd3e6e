import * as v from "valibot";
import type { Paged } from "../../query/list/page.ts";
import { cursorParameter, limitParameter } from "../contract/parameters.ts";
import { problem } from "../contract/problem.ts";
import type { Reply } from "../contract/route.ts";

/** How many items a page has at most, and unless said. */
const MAX_LIMIT = 1_000;
export const STANDARD_LIMIT = 100;

/** The parameters of a question that is answered page by page. */
export const PAGE_QUERY = {
  limit: v.exactOptional(limitParameter(MAX_LIMIT, STANDARD_LIMIT)),
  cursor: v.exactOptional(cursorParameter),
};

/** What to answer such a question with. */
export function replyWithPage(page: Paged<unknown>): Reply {
  switch (page.outcome) {
    case "listed":
      return { body: { items: page.items, nextCursor: page.nextCursor } };
    case "badCursor":
      return { problem: problem("bad-cursor", page.problem) };
  }
}
