import pLimit from "p-limit";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { byCreation } from "../../parents/run/run-job.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import { markedItems } from "../list/list-jobs.ts";
import { pageOfItems, type Paged, type PageQuery } from "../list/page.ts";
import type { RunPorts } from "../ports.ts";
import { findRun, type ScopedRun, type UnknownRun } from "./find-run.ts";

/** Jobs that are read at the same time. */
const AT_ONCE = 16;

/** One page of the Jobs of a run, by creation. One read for each Job. */
export async function listRunJobs(
  ports: RunPorts,
  run: ScopedRun,
  { now, ...query }: PageQuery & { readonly now: Instant },
): Promise<Paged<JobAnswer> | UnknownRun> {
  const found = await findRun(ports, run);
  if (found.outcome !== "found") return found;
  const { uid, jobs } = found.record;
  const items = [...jobs.values()].map(({ job }) => job).sort(byCreation);
  const page = pageOfItems({ items, question: { run: uid }, placeOf: (job) => [job.createdAt, job.uid] }, query);
  if (page.outcome === "badCursor") return page;
  const { cluster } = run.wanted;
  const read = await pLimit(AT_ONCE).map(page.items, async ({ uid: text }) => {
    const jobUid = decodeJobUid(text);
    const row = jobUid && (await ports.jobs.read({ cluster, jobUid }))?.row;
    return row === undefined ? [] : [readSummary(row)];
  });
  return { ...page, items: await markedItems(ports, read.flat(), { now }) };
}
