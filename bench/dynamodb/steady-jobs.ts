import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Fact, JobFact } from "../../src/job/model/fact.ts";

/** Facts that came with one watch event, and when: milliseconds since their Job was first heard of. */
export interface Step {
  readonly ms: number;
  readonly facts: readonly JobFact[];
}

/**
 * One-Pod Jobs as Kubernetes 1.36.3 with its default flags played them, two a second, each for 2 to 15 s, deleted 20 s
 * after their end (`ttlSecondsAfterFinished`): for each Job what every watch event said that was new, and when it
 * arrived. Recorded on 2026-11-21 on a real API server and controller manager; scheduler and kubelet were the stand-in
 * of test/kubernetes' recordings.
 */
function recordedJobs(): readonly (readonly Step[])[] {
  const text = gunzipSync(readFileSync(new URL("steady-jobs.ndjson.gz", import.meta.url))).toString();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as readonly Step[]);
}

export interface TimedFact {
  readonly ms: number;
  readonly fact: Fact;
}

/** How much of a Job's life is told: all of it, or until Kubernetes said that it is over. */
export type Until = "deletion" | "end";

/** Watch events that say something new, in the life of a Job: so many on average. */
export function eventsPerJob(until: Until): number {
  const lives = recordedJobs().map((steps) => stepsUntil(steps, until));
  return lives.reduce((sum, steps) => sum + steps.length, 0) / lives.length;
}

function stepsUntil(steps: readonly Step[], until: Until): readonly Step[] {
  if (until === "deletion") return steps;
  return steps.slice(0, steps.findIndex(({ facts }) => facts.some(({ kind }) => kind === "JobFinished")) + 1);
}

/**
 * `jobs` Jobs, of which each begins `everyMs` after the one before and goes the way of a recorded one, under uids and
 * names of its own.
 */
export function busyCluster({
  jobs,
  everyMs,
  until,
}: {
  readonly jobs: number;
  readonly everyMs: number;
  readonly until: Until;
}): readonly TimedFact[] {
  const recorded = recordedJobs().map((steps) => stepsUntil(steps, until));
  const facts: TimedFact[] = [];
  for (let number = 0; number < jobs; number += 1) {
    const steps = renamed(recorded[number % recorded.length] ?? [], number);
    for (const step of steps) {
      for (const fact of step.facts) facts.push({ ms: Math.round(number * everyMs) + step.ms, fact });
    }
  }
  return facts.toSorted((a, b) => a.ms - b.ms);
}

/**
 * The steps of a Job as those of another one: names and uids made of its number, instants and resourceVersions later.
 */
function renamed(steps: readonly Step[], number: number): readonly Step[] {
  const names = new Map<string, string>();
  for (const { facts } of steps) {
    for (const fact of facts) {
      names.set(fact.jobUid, uidOf(`job ${number}`));
      if ("podUid" in fact) names.set(fact.podUid, uidOf(`pod ${number}`));
      if (fact.kind === "JobCreated") names.set(fact.name, nameOf(number));
    }
  }
  const text = [...names].reduce((sofar, [from, to]) => sofar.replaceAll(from, to), JSON.stringify(steps));
  return JSON.parse(text, (key, value: unknown) => later(key, value, number)) as readonly Step[];
}

function later(key: string, value: unknown, number: number): unknown {
  if (typeof value !== "number") return value;
  if (key === "resourceVersion") return value + number * 12;
  return value > 1e12 ? value + number * 1_000 : value;
}

/** As a CronJob names its Jobs: so long names are usual. */
function nameOf(number: number): string {
  return `invoice-render-${29_000_000 + number}`;
}

function uidOf(seed: string): string {
  const hex = createHash("md5").update(seed).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
