import { formatInstant } from "../job/model/instant.ts";
import { type JobIdentity, type Lineage, lineageOf } from "../parents/lineage.ts";
import type { JobAnswer } from "./answer-document.ts";

/** What an answer says about what its Job belongs to. */
export type LineageAnswer = Pick<JobAnswer, "owners" | "run" | "series" | "externalIds">;

export function presentLineage(job: JobIdentity & Pick<JobAnswer, "namespace" | "uid">): LineageAnswer {
  const { owners, run, attempt, series, externalIds } = lineageOf(job);
  const { namespace } = job;
  return {
    owners: owners.map((owner) => ({ ...owner, namespace })),
    run: presentRun(job, run, attempt),
    ...(series !== undefined && { series: presentSeries(series) }),
    externalIds,
  };
}

/** A Job on its own is its own run. */
function presentRun(
  job: { readonly name: string; readonly uid: string },
  run: Lineage["run"],
  attempt: Lineage["attempt"],
): JobAnswer["run"] {
  if (run === undefined) return { kind: "Job", name: job.name, uid: job.uid };
  const { kind, name, uid } = run;
  return { kind, name, ...(uid !== undefined && { uid }), ...(attempt !== undefined && { attempt }) };
}

export function presentSeries({ dueAt, ...series }: NonNullable<Lineage["series"]>): NonNullable<JobAnswer["series"]> {
  return { ...series, ...(dueAt !== undefined && { dueAt: formatInstant(dueAt) }) };
}
