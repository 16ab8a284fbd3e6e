import { formatInstant } from "../job/model/instant.ts";
import { type JobIdentity, type Lineage, lineageOf, type OwnerLink } from "../parents/lineage.ts";
import type { JobAnswer } from "./answer-document.ts";

/** What an answer says about what its Job belongs to. */
export type LineageAnswer = Pick<JobAnswer, "owners" | "run" | "series" | "externalIds">;

export function presentLineage(job: JobIdentity & Pick<JobAnswer, "namespace" | "uid">): LineageAnswer {
  const { owners, run, attempt, series, externalIds } = lineageOf(job);
  const { namespace } = job;
  return {
    owners: owners.map((owner) => ({ ...owner, namespace })),
    run: presentRun(run ?? { kind: "Job", name: job.name, uid: job.uid }, attempt),
    ...(series !== undefined && { series: presentSeries(series) }),
    externalIds,
  };
}

/** The run of a Job in its answer: a Job on its own is its own run. */
export function presentRun(
  { kind, name, uid }: Pick<OwnerLink, "kind" | "name" | "uid">,
  attempt: Lineage["attempt"],
): JobAnswer["run"] {
  return { kind, name, ...(uid !== undefined && { uid }), ...(attempt !== undefined && { attempt }) };
}

export function presentSeries({ dueAt, ...series }: NonNullable<Lineage["series"]>): NonNullable<JobAnswer["series"]> {
  return { ...series, ...(dueAt !== undefined && { dueAt: formatInstant(dueAt) }) };
}
