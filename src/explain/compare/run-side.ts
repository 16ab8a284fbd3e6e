import { parseInstant } from "../../job/model/instant.ts";
import { list } from "../../job/text/sentence.ts";
import type { RunAnswer } from "../run/run-document.ts";
import type { Side, SideField } from "./compared-field.ts";
import {
  findingFields,
  known,
  labelFields,
  orNone,
  outcomeFields,
  seconds,
  setOf,
  unknownKinds,
} from "./side-fields.ts";

/** A run as one side of a comparison: what it is known by, without what only its Jobs have. */
export function runSide(run: RunAnswer): Side {
  const { attempts, jobs, labels, findings, queue, verdict } = run;
  const failures = attempts.flatMap(({ firstFailure }) => firstFailure ?? []);
  return {
    fields: [
      ...outcomeFields(run),
      known("attempts", attempts.length),
      ...(jobs.atLeast === true ? [] : [known("jobs", jobs.total, { text: jobsText(jobs) })]),
      ...orNone("exitCode", setOf(failures.flatMap(({ exitCode }) => exitCode?.toString() ?? []))),
      ...orNone("category", setOf(failures.map(({ category }) => category))),
      ...findingFields(findings),
      ...orNone("queue", queue?.name),
      ...labelFields(labels, namesOf(run)),
      ...timeFields(run),
    ],
    unknown: unknownKinds({
      image: "ofItsJobs",
      imageDigest: "ofItsJobs",
      request: "ofItsJobs",
      resources: "ofItsJobs",
      spec: "ofItsJobs",
      node: "ofItsJobs",
      nodeLabel: "ofItsJobs",
      jobs: "truncated",
      waiting: verdict.final ? "notObserved" : "inProgress",
      whole: verdict.final ? "notObserved" : "inProgress",
    }),
  };
}

const COUNTED = ["complete", "failed", "running", "waiting", "deleted", "unknown"] as const;

function jobsText(jobs: RunAnswer["jobs"]): string {
  const parts = COUNTED.filter((state) => jobs[state] > 0).map((state) => `${jobs[state]} ${state}`);
  return parts.length === 0 ? "0" : `${jobs.total} (${list(parts, COUNTED.length)})`;
}

function namesOf({ name, uid, externalIds }: RunAnswer): ReadonlySet<string> {
  return new Set([name, ...(uid === undefined ? [] : [uid]), ...Object.values(externalIds)]);
}

/** From its creation: until its first Job started, and until its end. */
function timeFields({ createdAt, startedAt, finishedAt }: RunAnswer): readonly SideField[] {
  const [created, started, finished] = [createdAt, startedAt, finishedAt].map((time) => parseInstant(time));
  const since = (at: number | undefined): number | undefined =>
    at === undefined || created === undefined ? undefined : at - created;
  return [...seconds("waiting", since(started)), ...seconds("whole", since(finished))];
}
