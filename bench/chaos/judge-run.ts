import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJobFact } from "../../src/job/model/fact.ts";
import { SECRETS } from "../fault-run/job-load.ts";
import { answers, type Judgement, judgeDelivery, openBodies } from "../fault-run/judge-delivery.ts";
import type { ChaosRun } from "./chaos-run.ts";
import { judgeAnswers, type Told } from "./judge-answers.ts";
import { judgeEnd, judgeSilence } from "./judge-end.ts";
import { countFaults, type RunReport } from "./report.ts";
import type { Fault } from "./schedule.ts";
import { type TrueJob, truthOf } from "./truth.ts";
import type { Violation } from "./violation.ts";
import type { Tracker } from "./world.ts";

export interface JudgedRun {
  readonly seed: number;
  readonly minutes: number;
  readonly faults: readonly Fault[];
  readonly run: ChaosRun;
  readonly tracker: Tracker;
  /** When the exporters were stopped. */
  readonly until: number;
  readonly scratch: string;
}

/** Longer than the five minutes after which an answer is stale. */
const SILENCE_MILLIS = 600_000;

/** Compares everything with the truth: the messages, the answers during the run, the answers now, and the store. */
export async function judgeRun(judged: JudgedRun): Promise<RunReport> {
  const { seed, minutes, faults, run, tracker, until, scratch } = judged;
  const { oracle, queue, readers } = run;
  const told = readers.flatMap((reader) => reader.told);
  writeFileSync(join(scratch, "evidence.json"), JSON.stringify({ until, events: oracle.events, taken: queue.taken }));
  writeFileSync(join(scratch, "told.json"), JSON.stringify(told));
  const truth = truthOf(oracle.events);
  const delivery = await judgeDelivery(oracle.events, queue.taken, { secrets: Object.values(SECRETS), until });
  return {
    seed,
    minutes,
    path: tracker.clusters.length > 1 ? "one process" : "deployed",
    faults: countFaults(faults),
    notInjected: run.notInjected,
    jobs: truth.size,
    trueEvents: oracle.events.length,
    segments: delivery.segments,
    gaps: delivery.gaps,
    lostInGaps: delivery.lostInGaps,
    questions: readers.reduce((sum, { asked }) => sum + asked, 0),
    unanswered: readers.reduce((sum, { unanswered }) => sum + unanswered, 0),
    judgedAnswers: told.length,
    violations: [
      ...delivered(tracker, delivery),
      ...recovery(run),
      ...duringRun({ run, tracker, truth, told }),
      ...(await atEnd({ run, tracker, truth })),
    ],
  };
}

interface Judging {
  readonly run: ChaosRun;
  readonly tracker: Tracker;
  readonly truth: ReadonlyMap<string, TrueJob>;
}

function duringRun({ run, tracker, truth, told }: Judging & { readonly told: readonly Told[] }): readonly Violation[] {
  const [exported] = tracker.clusters;
  const { takenAt } = run.queue;
  const silence = (cluster: string, at: number) => (cluster === exported ? silentMillis(at, takenAt) : undefined);
  return judgeAnswers(told, { truth, silence });
}

async function atEnd({ run, tracker, truth }: Judging): Promise<readonly Violation[]> {
  const { api, clusters } = tracker;
  const accepted = await answers(openBodies(run.queue.taken).facts.filter((fact) => isJobFact(fact)));
  const violations: Violation[] = [];
  for (const [n, cluster] of clusters.entries()) {
    violations.push(...(await judgeEnd({ api, cluster, truth, ...(n === 0 && { accepted }) })));
  }
  await tracker.leap(SILENCE_MILLIS);
  for (const cluster of clusters) violations.push(...(await judgeSilence({ api, cluster, truth })));
  for (const detail of await tracker.verify()) {
    violations.push({ rule: "the store is sound", subject: "store", detail });
  }
  return violations;
}

/** What the first half of the path did wrong. */
function delivered(
  { clusters: [subject = ""] }: Tracker,
  { lost, invented, double, leaked }: Judgement,
): readonly Violation[] {
  const above = [...invented.map((fact) => `not true: ${fact}`), ...double, ...leaked.map((text) => `leaked: ${text}`)];
  return [
    ...lost.map((detail): Violation => ({ rule: "no fact is lost between cluster and queue", subject, detail })),
    ...above.map((detail): Violation => ({ rule: "a count is never above the truth", subject, detail })),
  ];
}

function recovery({ stuck }: ChaosRun): readonly Violation[] {
  return stuck === undefined ? [] : [{ rule: "the path recovers", subject: "the tracker", detail: stuck }];
}

/** Since when the queue has accepted nothing from the exporters. It is not known when `serve` heard a cluster. */
function silentMillis(at: number, takenAt: readonly number[]): number | undefined {
  const last = takenAt.findLast((taken) => taken <= at);
  return last === undefined ? undefined : at - last;
}
