import type { JobAnswer } from "../../explain/answer-document.ts";
import type { Instant } from "../../job/model/instant.ts";
import { answerFound } from "./get-job.ts";
import { findByName, type NamedJob, type ScopedReference } from "./find-job.ts";
import type { QueryPorts } from "../ports.ts";

/** What a poll reads with. The stores are opened for each poll, because a replay may have switched the projection. */
export interface PollStores {
  readonly ports: () => Promise<QueryPorts>;
  readonly clock: () => Instant;
}

/**
 * Reads a Job repeatedly. One read of a known Job takes two requests to DynamoDB, and one of an unknown Job takes one.
 * The answer is derived again only if the Job's state has changed. `undefined` while the Job is unknown.
 */
export function pollJob({ ports, clock }: PollStores, { scope, wanted }: ScopedReference) {
  let last: { readonly found: NamedJob; readonly answer: JobAnswer } | undefined;
  return async (): Promise<JobAnswer | undefined> => {
    const stores = await ports();
    const found = await findByName(stores, scope, wanted);
    if (found.outcome === "none") return undefined;
    if (last === undefined || !isSame(last.found, found)) {
      last = { found, answer: await answerFound(stores, { cluster: wanted.cluster, found }, clock()) };
    }
    return last.answer;
  };
}

function isSame(a: NamedJob, b: NamedJob): boolean {
  return a.jobUid === b.jobUid && a.stored.version === b.stored.version;
}
