import { earliestOf, type Instant, parseInstant } from "../../job/model/instant.ts";
import { isLauncher, tryOf } from "../../parents/kinds.ts";
import type { PodFailure, RunJob } from "../../parents/run/run-job.ts";
import type { Attempt, JobAnswer } from "../answer-document.ts";

/** What a run needs of the answer about one of its Jobs, with its attempts. */
export function runJobOf(answer: JobAnswer): RunJob {
  const { uid, name, owners, run, verdict, externalIds, attempts = [] } = answer;
  const role = owners.find((owner) => owner.role !== undefined)?.role;
  return {
    uid,
    name,
    ...(role !== undefined && { role }),
    ...(run.attempt !== undefined && { attempt: run.attempt }),
    ...known({ workTry: tryOf(externalIds) }),
    createdAt: parseInstant(answer.createdAt) ?? 0,
    state: verdict.state,
    ...(owners.some(isLauncher) && { isLauncher: true, ...known({ finishedAt: parseInstant(answer.finishedAt) }) }),
    ...known({
      ...startOf(answer),
      failedAt: failedAtOf(answer),
      firstFailure: firstFailureOf(attempts),
    }),
  };
}

/** By its Pods, otherwise by the counts that the Job reported: not all Pods were observed, or there are very many. */
function startOf({ attempts = [], reported }: JobAnswer): Pick<RunJob, "startedAt" | "hasStarted"> {
  const startedAt = earliestOf(attempts.map((attempt) => parseInstant(attempt.startedAt)));
  if (startedAt !== undefined) return { startedAt };
  return reported !== undefined && hasStartedBy(reported.status, attempts) ? { hasStarted: true } : {};
}

/** Active Pods may still wait, unless none of them was observed. */
function hasStartedBy(
  { active, ready, succeeded, failed }: JobAnswer["status"],
  attempts: readonly Attempt[],
): boolean {
  const counts = attempts.length === 0 ? [active, ready, succeeded, failed] : [ready, succeeded, failed];
  return counts.some((count = 0) => count > 0);
}

type Known<Values> = { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> };

function known<Values extends object>(values: Values): Known<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Known<Values>;
}

/** By the condition of its failure, also of one whose Pods still end. */
function failedAtOf({ status, reported }: JobAnswer): Instant | undefined {
  const conditions = [...(status.conditions ?? []), ...(reported?.status.conditions ?? [])];
  const failures = conditions.filter(
    ({ type, status: is }) => is === "True" && (type === "Failed" || type === "FailureTarget"),
  );
  return earliestOf(failures.map(({ lastTransitionTime }) => parseInstant(lastTransitionTime)));
}

/** A Pod that was stopped by its deletion did not fail by itself. */
export function firstFailureOf(attempts: readonly Attempt[]): PodFailure | undefined {
  const failures = attempts.flatMap((attempt) => failureOf(attempt) ?? []);
  return failures.sort((a, b) => a.at - b.at)[0];
}

function failureOf({ name, outcome, category, exitCode, finishedAt, node }: Attempt): PodFailure | undefined {
  const at = parseInstant(finishedAt);
  if (outcome !== "Failed" || category === undefined || category === "deleted" || at === undefined) return undefined;
  return {
    pod: name,
    category,
    at,
    ...(exitCode !== undefined && { exitCode }),
    ...(category === "node-loss" && node !== undefined && { node }),
  };
}
