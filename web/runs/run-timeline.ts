import type { Attempt, JobAnswer } from "../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import type { Outcome } from "../../src/job/model/outcome.ts";
import { axisEnds } from "../job/timeline/axis-ends.ts";
import {
  axisOf,
  type Bar,
  barOf,
  type BarGroup,
  byCreation,
  MAX_NAMED,
  namedGroup,
  packedGroup,
  type Timeline,
} from "../job/timeline/timeline.ts";
import type { Mark } from "../job/timeline/timeline-marks.ts";
import { localTime, millisOf } from "../text/instant-text.ts";
import { shownText } from "../text/shown-text.ts";

/** Pods by the uid of their Job. */
export type PodsByJob = ReadonlyMap<string, readonly Attempt[]>;

/** A run with what belongs to it, as far as it is read. */
export interface RunParts {
  readonly run: RunAnswer;
  readonly jobs: readonly JobAnswer[];
  readonly pods: PodsByJob;
}

/** The Jobs whose Pods have room in the timeline: those that have any, if all rows have. */
export function jobsWithPods(jobs: readonly JobAnswer[]): readonly JobAnswer[] {
  const rows = jobs.reduce((sum, { pods }) => sum + 1 + pods.seen, 0);
  return rows > MAX_NAMED ? [] : jobs.filter(({ pods }) => pods.seen > 0);
}

/** Each attempt of a run on one axis: its Jobs, and below each Job its Pods if all of them have room. */
export function layOutRun({ run, jobs, pods }: RunParts, marks: readonly Mark[], now: number): Timeline {
  const all = jobs.map((job): JobRows => [barOfJob(job), ...(pods.get(job.uid) ?? []).map(barOfPod).sort(byCreation)]);
  const shown = all.flat().length <= MAX_NAMED ? all : all.map(([job]): JobRows => [job]);
  const axis = axisOf(shown.flat(), (bars) => [...axisEnds(run, bars, now), ...marks.map(({ at }) => at)]);
  const rowsOf = new Map(jobs.map(({ uid }, index) => [uid, shown[index] ?? []] as const));
  const groups = attemptsOf(run, jobs).map(({ title, members }): BarGroup => {
    const bars = members.flatMap(({ uid }) => rowsOf.get(uid) ?? []);
    return bars.length > MAX_NAMED ? packedGroup(title, bars, axis) : namedGroup(title, bars);
  });
  return { ...axis, groups };
}

/** A Job, then its Pods. */
type JobRows = readonly [Bar, ...Bar[]];

/** A Job that Kueue starts again is in several attempts: it is drawn in the first. */
function attemptsOf(run: RunAnswer, jobs: readonly JobAnswer[]) {
  const numberOf = new Map(
    run.attempts.toReversed().flatMap(({ number, jobs }) => jobs.map(({ uid }) => [uid, number] as const)),
  );
  const last = run.attempts.at(-1)?.number ?? 0;
  const members = Map.groupBy(jobs, ({ uid }) => numberOf.get(uid) ?? last);
  return [...members]
    .sort(([a], [b]) => a - b)
    .map(([number, ofAttempt]) => ({
      title: members.size === 1 ? "" : `Attempt ${number}: ${stateOf(run, number)}`,
      members: ofAttempt,
    }));
}

function stateOf(run: RunAnswer, number: number): string {
  return run.attempts.find((attempt) => attempt.number === number)?.state ?? "Unknown";
}

function barOfPod(attempt: Attempt): Bar {
  const bar = barOf(attempt);
  return { ...bar, name: `└ ${bar.name}` };
}

function barOfJob(job: JobAnswer): Bar {
  const createdAt = millisOf(job.createdAt) ?? 0;
  return {
    uid: job.uid,
    name: job.name,
    outcome: OUTCOMES[job.verdict.state],
    deleter: job.deletedBy?.actor,
    describe: () => jobText(job, createdAt),
    createdAt,
    startedAt: millisOf(job.startedAt),
    endedAt: millisOf(job.finishedAt),
    deletedAt: millisOf(job.deletedAt),
    restartedAt: [],
    lane: 0,
  };
}

const OUTCOMES: Readonly<Record<JobAnswer["verdict"]["state"], Outcome>> = {
  Complete: "Succeeded",
  Failed: "Failed",
  Running: "Active",
  Pending: "Active",
  Suspended: "Active",
  Deleted: "Terminating",
  Unknown: "Unknown",
};

function jobText({ name, verdict, deletedAt }: JobAnswer, createdAt: number): string {
  const reason = verdict.reason === undefined ? "" : ` (${verdict.reason})`;
  const deleted = millisOf(deletedAt);
  const end = deleted === undefined ? "" : `; deleted ${localTime(deleted)}`;
  return shownText(`Job ${name}: ${verdict.state}${reason}; created ${localTime(createdAt)}${end}`);
}

/** The milestones of a run: its attempts, and what Kueue did. */
export function marksOfRun({ attempts, queue, finishedAt, verdict }: RunAnswer): readonly Mark[] {
  const marks = [
    ...(attempts.length > 1 ? attempts.map(({ number, startedAt }) => mark(startedAt, `attempt ${number}`)) : []),
    ...(queue?.admittedAt.map((at) => mark(at, "admitted by Kueue")) ?? []),
    ...(queue?.evictions.map(({ at, reason }) => mark(at, `evicted: ${reason}`)) ?? []),
    mark(finishedAt, `run ${verdict.state === "Failed" ? "failed" : "finished"}`),
  ];
  return marks.filter((one) => one !== undefined).sort((a, b) => a.at - b.at);
}

function mark(time: string | undefined, text: string): Mark | undefined {
  const at = millisOf(time);
  return at === undefined ? undefined : { at, text, kind: "job" };
}
