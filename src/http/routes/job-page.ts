import type { JobReference, UnknownJob } from "../../query/job/find-job.ts";
import type { Paged } from "../../query/list/page.ts";
import { UID_QUERY, unknownJob } from "./job-path.ts";
import { PAGE_QUERY, replyWithPage } from "./reply-with-page.ts";
import type { Reply } from "../contract/route.ts";

/** The parameters of every route that returns pages about one Job. */
export const JOB_PAGE_QUERY = { ...UID_QUERY, ...PAGE_QUERY };

/** The reply with one page, or with the problem of an unknown Job. */
export function replyWithJobPage(wanted: JobReference, page: Paged<unknown> | UnknownJob): Reply {
  switch (page.outcome) {
    case "listed":
    case "badCursor":
      return replyWithPage(page);
    case "unknownCluster":
    case "unknownJob":
      return { problem: unknownJob(wanted, page) };
  }
}
