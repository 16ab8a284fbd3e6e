import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { recordedFacts } from "../../src/embedded/recorded-facts.ts";
import { type Fact, isJobFact } from "../../src/job/model/fact.ts";
import { sharedRecording, skipWithoutShared } from "../support/recordings/real-recordings.ts";
import { MeteredTrackers, scrape, tell, total } from "../support/stores/metered-tracker.ts";

const RECORDING = "mixed-2000.ndjson.gz";
const TRUTH = "mixed-2000.truth.json.gz";
const skip = skipWithoutShared([RECORDING, TRUTH]);
const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

interface Truth {
  readonly jobs: readonly {
    readonly uid: string;
    readonly reported: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
  }[];
  readonly attempts: readonly { readonly jobUid: string; readonly outcome: string }[];
}

async function factsOf(file: string): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  const reading = { events: 0, rejected: [], rejectedBeyond: 0 };
  for await (const some of recordedFacts([file], reading)) facts.push(...some);
  return facts;
}

/** The facts in an order that has nothing to do with time. */
function shuffled(facts: readonly Fact[]): readonly Fact[] {
  const step = 7_919;
  return facts.map((_, index) => facts[(index * step) % facts.length] ?? facts[0]).filter((fact) => fact !== undefined);
}

/** Of the Jobs, every tenth: a replay of all takes minutes. */
function isWanted(uid: string): boolean {
  return /^0|^[1-9a-f]0/.test(uid);
}

describe.skipIf(skip)("the metrics of Jobs whose truth was recorded", () => {
  it("equal the truth, shuffled and delivered twice, and after a replay", { timeout: 300_000 }, async () => {
    const truth = JSON.parse(gunzipSync(readFileSync(sharedRecording(TRUTH))).toString()) as Truth;
    const facts = (await factsOf(sharedRecording(RECORDING))).filter(
      (fact) => isJobFact(fact) && isWanted(fact.jobUid),
    );
    const embedded = trackers.open();
    await tell(embedded, shuffled(facts));
    await tell(embedded, facts);
    await embedded.sweep({ now: Date.now(), freshMillis: 0 });
    const shown = await scrape(embedded);
    for (const state of ["Complete", "Failed"]) {
      const ended = truth.jobs.filter(
        ({ uid, reported }) =>
          isWanted(uid) && reported.conditions.some(({ type, status }) => type === state && status === "True"),
      );
      expect(ended.length).toBeGreaterThan(0);
      expect(total(shown, "outlive_jobs_finished_total", `state="${state}"`)).toBe(ended.length);
    }
    for (const outcome of ["Succeeded", "Failed"]) {
      const ended = truth.attempts.filter((attempt) => isWanted(attempt.jobUid) && attempt.outcome === outcome);
      expect(total(shown, "outlive_attempts_total", `outcome="${outcome}"`)).toBe(ended.length);
    }
    await embedded.replay();
    expect(await scrape(embedded)).toEqual(shown);
  });
});
