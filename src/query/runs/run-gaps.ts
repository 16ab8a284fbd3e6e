import { worse } from "../../explain/run/answer-run.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import { EARLIEST, parseInstant } from "../../job/model/instant.ts";
import { statusOf } from "../../parents/status/statuses.ts";
import { hasEnded } from "../clusters/freshness.ts";
import type { GapRules } from "../clusters/known-gaps.ts";

/**
 * Which gaps concern a run: those of Jobs and Pods, of its own object, and of its Workload. They may hide a whole Job
 * or an attempt, which no counter of another Job makes up for.
 */
export const RUN_GAPS: GapRules<RunAnswer> = {
  lifeOf: (run) => ({
    from: parseInstant(run.createdAt) ?? EARLIEST,
    to: parseInstant(endOf(run)) ?? Infinity,
    resources: resourcesOf(run),
  }),
  levelOf: ({ completeness: { level } }) => worse(level, "gaps"),
};

/** Of a run that has ended as far as its Jobs show: what is known last. */
function endOf(run: RunAnswer): string | undefined {
  return run.finishedAt ?? run.deletedAt ?? (hasEnded(run) ? run.asOf.time : undefined);
}

function resourcesOf({ kind, queue }: RunAnswer): readonly string[] {
  const kinds = queue === undefined ? [kind] : [kind, "Workload"];
  return kinds.flatMap((of) => {
    const status = statusOf(of);
    return status === undefined ? [] : [status.resource, ...(status.startsJobsBy ?? [])];
  });
}
