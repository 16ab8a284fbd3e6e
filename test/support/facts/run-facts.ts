import type { JobFact, Owner, RunFact } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { endedJob, startedJob } from "../archive/archive-scene.ts";
import { isTrue, parentObserved } from "./parent-facts.ts";

export interface RunStory {
  readonly namespace?: string;
  /** That of the JobSet. */
  readonly name: string;
  readonly createdAt: Instant;
  /** The names of its Jobs, which end. */
  readonly jobs: readonly string[];
  /** The names of its Jobs that do not end. */
  readonly running?: readonly string[];
}

/** The uid of the run, as the stores have it. */
export function runUidNamed(name: string): string {
  return `uid-of-${name}`;
}

/** The facts of a JobSet under Kueue, which fails and names its first Job. */
export function runFacts({ namespace = "shop", name, createdAt, jobs }: RunStory): readonly RunFact[] {
  const uid = runUidNamed(name);
  const [firstFailedJob = "none"] = jobs;
  const base = { namespace, runUid: uid, createdAt, fields: {} };
  const owner: Owner = { kind: "JobSet", name, uid };
  const failed = isTrue("Failed", createdAt + 200_000, { details: { firstFailedJob } });
  return [
    parentObserved({ ...base, uid, name, at: createdAt }),
    parentObserved({ ...base, uid, name, at: createdAt + 200_000, conditions: [failed] }),
    parentObserved({
      ...base,
      uid: `workload-of-${name}`,
      name: `jobset-${name}`,
      of: "Workload",
      owner,
      at: createdAt,
    }),
  ];
}

/** The facts of its Jobs. */
export function memberFacts({ namespace = "shop", name, createdAt, jobs, running = [] }: RunStory): readonly JobFact[] {
  const owner: Owner = { kind: "JobSet", name, uid: runUidNamed(name) };
  const facts = [
    ...jobs.flatMap((job) => endedJob({ name: job, namespace, createdAt, succeeds: false })),
    ...running.flatMap((job) => startedJob({ name: job, namespace, createdAt })),
  ];
  return facts.map((fact) => (fact.kind === "JobCreated" ? { ...fact, owner } : fact));
}
