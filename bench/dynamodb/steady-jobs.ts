import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Fact, JobFact } from "../../src/job/model/fact.ts";

/** Facts of one watch event, and its time in milliseconds since the first event of its Job. */
export interface Step {
  readonly ms: number;
  readonly facts: readonly JobFact[];
}

/**
 * One-Pod Jobs of Kubernetes 1.36.3 with default flags: two per second, each for 2 to 15 s, deleted 20 s after they
 * finished (`ttlSecondsAfterFinished`). For each Job the new facts of every watch event, and its arrival time. Recorded
 * on 2026-11-21 with a real API server and controller manager; scheduler and kubelet were the simulated ones of
 * test/kubernetes' recordings.
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

/** The covered part of a Job's life: all of it, or until it finished. */
export type Until = "deletion" | "end";

/** The average number of watch events with new facts in the life of a Job. */
export function eventsPerJob(until: Until): number {
  const lives = recordedJobs().map((steps) => stepsUntil(steps, until));
  return lives.reduce((sum, steps) => sum + steps.length, 0) / lives.length;
}

function stepsUntil(steps: readonly Step[], until: Until): readonly Step[] {
  if (until === "deletion") return steps;
  return steps.slice(0, steps.findIndex(({ facts }) => facts.some(({ kind }) => kind === "JobFinished")) + 1);
}

/**
 * `jobs` Jobs, each of which starts `everyMs` after the previous one and follows a recorded one under its own uids and
 * names.
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

/** The steps of a Job for another one: names and uids contain its number, instants and resourceVersions are later. */
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

/** The name that a CronJob would choose, for its length. */
function nameOf(number: number): string {
  return `invoice-render-${29_000_000 + number}`;
}

export function uidOf(seed: string): string {
  const hex = createHash("md5").update(seed).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
