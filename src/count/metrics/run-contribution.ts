import type { RunAnswer } from "../../explain/run/run-document.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { labelValue } from "../../ports/bounded-labels.ts";
import type { EncodedJobState } from "../../ports/job-row.ts";
import type { JobKey } from "../../ports/jobs.ts";
import type { Contribution } from "../../ports/metric-store.ts";
import { RunUnreadableError } from "../../projection/run-state/run-state.ts";
import { answerRow } from "../../query/runs/answer-row.ts";
import { NO_OWNER } from "./job-contribution.ts";
import { RUNS_FINISHED } from "./metric-families.ts";

type CountedRun = Pick<RunAnswer, "cluster" | "namespace" | "kind" | "series" | "verdict"> & {
  readonly asOf: Pick<RunAnswer["asOf"], "time">;
};

/** What a run adds to the metrics. A run that may gain a Job is never final, and adds nothing. */
export function runContribution({ cluster, namespace, kind, series, verdict, asOf }: CountedRun): Contribution {
  const labels = {
    cluster,
    namespace,
    kind: labelValue(kind),
    owner_kind: series === undefined ? NO_OWNER : labelValue(series.kind),
    owner: series === undefined ? NO_OWNER : labelValue(series.name),
    state: verdict.state,
    reason: labelValue(verdict.reason ?? ""),
  };
  const finished = { series: { family: RUNS_FINISHED.number, kind: "counter" as const, labels }, part: 0, amount: 1 };
  return { amounts: verdict.final ? [finished] : [], at: parseInstant(asOf.time) ?? 0 };
}

/** What a stored run adds, by its row alone. `undefined` if it is in no list of runs, or cannot be read. */
export function storedRunContribution(key: JobKey, { row }: Pick<EncodedJobState, "row">): Contribution | undefined {
  try {
    const run = row && answerRow({ ...row, ...key });
    return run && runContribution(run);
  } catch (cause) {
    if (!(cause instanceof RunUnreadableError)) throw cause;
    return undefined;
  }
}
