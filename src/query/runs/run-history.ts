import * as v from "valibot";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { ParentCondition } from "../../job/model/fact.ts";
import { statusOf } from "../../parents/status/statuses.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import { type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import type { RunMember, RunRecord } from "../../explain/run/run-record.ts";

/** One thing that happened in a run. */
export const runEventSchema = v.pipe(
  v.object({
    time: instant,
    kind: v.picklist(["Created", "Restarted", "Condition", "Deleted", "JobCreated", "JobFailed", "JobEnded"]),
    object: v.pipe(text, v.description("`kind/name`.")),
    detail: maybe(text),
  }),
  v.description("One thing that happened in a run, by the conditions of its objects and by its Jobs."),
);
export type RunEvent = AnswerOf<typeof runEventSchema>;

interface Dated extends Omit<RunEvent, "time"> {
  readonly at: Instant | undefined;
}

/** What happened in a run, oldest first. The facts about a Job are in its own history. */
export function historyOf({ parents, jobs }: RunRecord): readonly RunEvent[] {
  const events = [...[...parents.values()].flatMap(eventsOfParent), ...[...jobs.values()].flatMap(eventsOfJob)];
  return events
    .flatMap(({ at, ...event }) => (at === undefined ? [] : [{ at, event }]))
    .sort((a, b) => a.at - b.at)
    .map(({ at, event }) => ({ time: formatInstant(at), ...event }));
}

function eventsOfParent({ first, deleted, attempts, transitions }: ParentRecord): readonly Dated[] {
  if (first === undefined) return [];
  const object = `${first.of.toLowerCase()}/${first.name}`;
  const restarts = statusOf(first.of)?.jobsBy === "number" ? [...attempts].filter(([key]) => key !== "0") : [];
  return [
    { at: first.createdAt, kind: "Created", object },
    ...restarts.map(([key, { first: seen }]): Dated => ({
      at: seen.at,
      kind: "Restarted",
      object,
      detail: `attempt ${key}`,
    })),
    ...[...transitions.values()].map((condition): Dated => ({
      at: condition.lastTransitionAt,
      kind: "Condition",
      object,
      detail: textOf(condition),
    })),
    { at: deleted?.at, kind: "Deleted", object },
  ];
}

function textOf({ type, status, reason }: ParentCondition): string {
  return `${type} ${status}${reason === undefined ? "" : ` (${reason})`}`;
}

function eventsOfJob({ job, endedAt }: RunMember): readonly Dated[] {
  const object = `job/${job.name}`;
  const { pod, exitCode } = job.firstFailure ?? {};
  const failure =
    pod === undefined ? {} : { detail: `${pod}${exitCode === undefined ? "" : ` exited with code ${exitCode}`}` };
  return [
    { at: job.createdAt, kind: "JobCreated", object, ...(job.role !== undefined && { detail: job.role }) },
    { at: job.firstFailure?.at ?? job.failedAt, kind: "JobFailed", object, ...failure },
    { at: endedAt, kind: "JobEnded", object, detail: job.state },
  ];
}
