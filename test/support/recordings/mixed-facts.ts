import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { recordedFacts } from "../../../src/host/embedded/recorded-facts.ts";
import { type Fact, isJobFact } from "../../../src/job/model/fact.ts";
import { sharedRecording } from "./real-recordings.ts";

export const MIXED_RECORDING = "mixed-2000.ndjson.gz";
export const MIXED_TRUTH = "mixed-2000.truth.json.gz";

interface Truth {
  readonly jobs: readonly TrueJob[];
  readonly attempts: readonly { readonly jobUid: string; readonly outcome: string }[];
}

interface TrueJob {
  readonly uid: string;
  readonly reported: {
    readonly conditions: readonly TrueCondition[];
    readonly startTime: string;
    readonly completionTime?: string;
  };
}

interface TrueCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
}

/** Some Jobs of the recording, and what is true of them. */
export class MixedJobs {
  readonly #jobs: readonly TrueJob[];
  readonly #truth = JSON.parse(gunzipSync(readFileSync(sharedRecording(MIXED_TRUTH))).toString()) as Truth;
  readonly #uids: ReadonlySet<string>;

  constructor(isWanted: (uid: string) => boolean) {
    this.#jobs = this.#truth.jobs.filter(({ uid }) => isWanted(uid));
    this.#uids = new Set(this.#jobs.map(({ uid }) => uid));
  }

  /** How many have a condition. */
  ended(condition: "Complete" | "Failed"): number {
    return this.uidsOf(condition).length;
  }

  /** Those that have a condition. */
  uidsOf(condition: "Complete" | "Failed"): readonly string[] {
    return this.#jobs.filter((job) => endOf(job)?.type === condition).map(({ uid }) => uid);
  }

  /** The sum of their durations, from the start to the end that Kubernetes reported. */
  durationSeconds(): number {
    return this.#jobs.reduce((sum, job) => {
      const { startTime, completionTime = endOf(job)?.lastTransitionTime ?? startTime } = job.reported;
      return sum + (Date.parse(completionTime) - Date.parse(startTime)) / 1_000;
    }, 0);
  }

  attempts(outcome: "Succeeded" | "Failed"): number {
    return this.#truth.attempts.filter((attempt) => this.#uids.has(attempt.jobUid) && attempt.outcome === outcome)
      .length;
  }

  /** The facts of each event about them, in order. */
  async events(): Promise<readonly (readonly Fact[])[]> {
    const events: (readonly Fact[])[] = [];
    const reading = { events: 0, rejected: [], rejectedBeyond: 0 };
    for await (const facts of recordedFacts([sharedRecording(MIXED_RECORDING)], reading)) {
      const wanted = facts.filter((fact) => isJobFact(fact) && this.#uids.has(fact.jobUid));
      if (wanted.length > 0) events.push(wanted);
    }
    return events;
  }
}

function endOf({ reported }: TrueJob): TrueCondition | undefined {
  return reported.conditions.find(({ type, status }) => /^(Complete|Failed)$/.test(type) && status === "True");
}

/** The same in an order that has nothing to do with time. */
export function shuffled<One>(all: readonly One[]): readonly One[] {
  const step = 7_919;
  return all.map((_, index) => all[(index * step) % all.length] ?? all[0]).filter((one) => one !== undefined);
}
