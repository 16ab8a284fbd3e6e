import { describe, expect, it } from "vitest";
import type { JobCondition, JobStatus } from "../../src/job/status/job-status.ts";
import type { CasePod } from "../support/story/conformance-case.ts";
import { conformanceCases } from "../support/story/conformance-case.ts";
import { answerOfFacts, type CaseEvent, type CaseJob, factsOfCase } from "../support/story/conformance-events.ts";

interface StatusCase extends Omit<CaseJob, "isWorkQueue"> {
  readonly id: string;
  readonly kind: "status" | "counting" | "sequence" | "function" | "answer";
  readonly pods: readonly CasePod[];
  readonly verdict?: object | null;
  readonly derived: { readonly factsOnly?: JobStatus; readonly settled?: JobStatus; readonly untouched?: unknown };
  readonly steps: readonly {
    readonly events: readonly CaseEvent[];
    readonly derived: { readonly defaultGates?: JobStatus & { readonly untouched?: unknown } };
  }[];
}
interface Judged {
  readonly name: string;
  readonly job: CaseJob;
  readonly events: readonly CaseEvent[];
  readonly expected: JobStatus;
}

/** What the controller alone decided can be said only where it said so before. */
function isJudged({ kind, verdict, priorStatus }: StatusCase): boolean {
  const conditions = (priorStatus as JobStatus | undefined)?.conditions ?? [];
  return (
    kind !== "function" && kind !== "answer" && !(kind === "counting" && verdict !== null && conditions.length === 0)
  );
}

function judgedOf(one: StatusCase): readonly Judged[] {
  const job: CaseJob = { ...one, isWorkQueue: one.kind === "counting" };
  if (one.kind === "sequence") {
    return one.steps.flatMap(({ derived: { defaultGates } }, at) => {
      if (defaultGates === undefined || defaultGates.untouched !== undefined) return [];
      const events = one.steps.slice(0, at + 1).flatMap((step) => step.events);
      return [{ name: `${one.id}, step ${at + 1}`, job, events, expected: defaultGates }];
    });
  }
  const events = one.pods.map((pod): CaseEvent => ({ type: "ADDED", pod }));
  return [{ name: one.id, job, events, expected: expectedOf(one) }];
}

function expectedOf({ kind, derived, priorStatus }: StatusCase): JobStatus {
  if (derived.untouched !== undefined) return priorStatus ?? {};
  if (kind === "status") return derived.factsOnly ?? {};
  const { conditions: _, uncountedTerminatedPods: __, ...counts } = derived.settled ?? {};
  return counts;
}

/** The fields a case speaks of, with what is 0, empty or absent made the same. */
function comparable(status: JobStatus, fields: JobStatus): object {
  const has = (field: keyof JobStatus): boolean => (fields[field] ?? undefined) !== undefined;
  const counts = (["active", "ready", "terminating", "succeeded", "failed"] as const).filter(has);
  return {
    ...Object.fromEntries(counts.map((field) => [field, status[field] ?? 0])),
    ...(has("completedIndexes") && { completedIndexes: status.completedIndexes ?? "" }),
    ...("failedIndexes" in fields && { failedIndexes: status.failedIndexes ?? null }),
    ...(has("conditions") && { conditions: (status.conditions ?? []).map(shown).sort() }),
  };
}

/** Older servers leave the reason of a success empty. */
function shown({ type, status, reason }: JobCondition): string {
  const isSuccess = type === "Complete" || type === "SuccessCriteriaMet";
  const isUnsaid = isSuccess && (reason ?? "") === "";
  return `${type}=${status} ${isUnsaid ? "CompletionsReached" : (reason ?? "")}`;
}

const judged = (conformanceCases() as readonly StatusCase[]).filter(isJudged).flatMap(judgedOf);

describe("a Job's status", () => {
  it.each(judged.map((one) => [one.name, one] as const))(
    "is the same as upstream's: %s",
    (_, { job, events, expected }) => {
      const { status } = answerOfFacts(factsOfCase(job, events));
      expect(comparable(status, expected)).toEqual(comparable(expected, expected));
    },
  );

  it.each(judged.map((one) => [one.name, one] as const))(
    "is the same when its facts arrive in reverse and twice: %s",
    (_, { job, events }) => {
      const facts = factsOfCase(job, events);
      expect(answerOfFacts([...facts, ...facts].toReversed())).toEqual(answerOfFacts(facts));
    },
  );
});
