import type { Instant } from "../../../src/job/model/instant.ts";
import { drawn, drawnBetween } from "./drawn.ts";
import { EU_NODES, euTemplate } from "./generated-cluster.ts";
import { jobSetLife, type PlannedJobSet, type Stay, workloadUid } from "./job-set-life.ts";
import { HOUR, MINUTE, type WatchEvent } from "./watch-events.ts";

const RUNS = 36;
const EVERY = 18 * HOUR;
const WORKERS = 4;
/** The last run waits since half an hour; the one before runs since an hour. */
const LAST_CREATED = 30 * MINUTE;
const RUNNING_CREATED = 90 * MINUTE;

/** Training runs in a queue: they wait, one is evicted for another, and one is started again. */
export function trainingRuns(now: Instant): readonly WatchEvent[] {
  return Array.from({ length: RUNS }, (_, back) => jobSetLife(trainingRun(now, back))).flat();
}

function trainingRun(now: Instant, back: number): PlannedJobSet {
  const name = nameOf(back);
  const createdAt = now - (RECENT[back] ?? LAST_CREATED + back * EVERY + Math.round(drawn(name) * 4) * HOUR);
  const template = { ...euTemplate("ml", "ml", "ranker"), cpu: "4", memory: "16Gi", backoffLimit: 0 };
  return {
    name,
    template,
    workers: WORKERS,
    nodes: EU_NODES,
    queue: "training",
    clusterQueue: "gpu-pool",
    lacking:
      "couldn't assign flavors to pod set worker: insufficient unused quota for nvidia.com/gpu in flavor a100, " +
      `${WORKERS} more needed`,
    createdAt,
    stays: staysOf(createdAt, back),
  };
}

const RECENT: Readonly<Record<number, number>> = { 0: LAST_CREATED, 1: RUNNING_CREATED };

function nameOf(back: number): string {
  return `train-ranker-${String(140 - back)}`;
}

const EVICTED = 3;
const RESTARTED = 6;

function staysOf(createdAt: Instant, back: number): readonly Stay[] {
  if (back === 0) return [];
  const name = nameOf(back);
  const waits = back === 1 ? 30 : Math.round(drawnBetween(0, 55, `${name} waits`));
  const admittedAt = createdAt + waits * MINUTE;
  const runs = Math.round(drawnBetween(95, 150, `${name} runs`)) * MINUTE;
  if (back === EVICTED) return evicted(admittedAt, runs);
  if (back === RESTARTED) return restarted(admittedAt, runs);
  return [{ admittedAt, endsAt: admittedAt + runs, end: { how: "completed" } }];
}

function evicted(admittedAt: Instant, runs: number): readonly Stay[] {
  const endsAt = admittedAt + 47 * MINUTE;
  const againAt = endsAt + 38 * MINUTE;
  const by = workloadUid({ template: euTemplate("ml", "ml", "ranker"), name: nameOf(EVICTED - 1) });
  return [
    { admittedAt, endsAt, end: { how: "preempted", by } },
    { admittedAt: againAt, endsAt: againAt + runs, end: { how: "completed" } },
  ];
}

function restarted(admittedAt: Instant, runs: number): readonly Stay[] {
  const endsAt = admittedAt + 31 * MINUTE;
  const againAt = endsAt + MINUTE;
  const pod = { phase: "Failed", exitCode: 1, reason: "Error" } as const;
  return [
    { admittedAt, endsAt, end: { how: "restarted", worker: 2, pod } },
    { admittedAt: againAt, endsAt: againAt + runs, end: { how: "completed" } },
  ];
}
