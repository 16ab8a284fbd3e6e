import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogItem } from "../../../src/ports/log.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { startReplay } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { KilledError, Process } from "../../support/killed/killed-at.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { PATIENT, send, twoProjections, type TwoProjections } from "../../support/stores/two-projections.ts";
import { type Continued, continueReplay } from "../../support/killed/continue-replay.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;

const PODS = 300;
const LARGE = sealInSegments(
  [
    ...largeJobFacts({ indexed: false, completions: PODS }),
    ...Array.from({ length: PODS }, (_, number) => [...podBeginFacts(number), ...podEndFacts(number)]).flat(),
  ],
  200,
  NOON + DAY,
);

/** Three days of a log, with a Job that lies in pages among others. */
function story(seed: number): readonly LogItem[] {
  return [
    ...sealInSegments(fc.sample(arbitraryFact, { numRuns: 20, seed }), 4, NOON),
    ...LARGE,
    ...sealInSegments(fc.sample(arbitraryFact, { numRuns: 20, seed: seed + 1 }), 4, NOON + 2 * DAY),
  ];
}

/** Runs a replay in processes that each end after this many requests. */
async function replayInPieces(
  all: TwoProjections,
  lives: readonly number[],
  between: (piece: number) => Promise<void>,
) {
  for (let piece = 0; ; piece += 1) {
    const process = new Process(lives[piece] ?? Number.POSITIVE_INFINITY);
    const ports = {
      log: process.over(all.log),
      meta: process.over(all.meta),
      projections: process.over(all.projections),
    };
    const ended = await continueReplay(ports, { retry: PATIENT }).catch((error: unknown) => {
      if (error instanceof KilledError) return undefined;
      throw error;
    });
    if (ended !== undefined) return ended;
    await between(piece);
  }
}

describe("a replay whose process is killed repeatedly", () => {
  it("continues, includes segments that arrive meanwhile, and equals the live projection", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000 }),
        fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 12 }),
        async (seed, lives) => {
          const items = story(seed);
          const early = items.slice(0, -3);
          const all = twoProjections();
          await send(all, early);
          expect(await startReplay(all.meta)).toBe("started");
          const late = items.slice(-3).values();
          const ended = await replayInPieces(all, lives, async () => {
            const { value } = late.next();
            if (value !== undefined) await send(all, [value]);
          });
          // Killed between the last two writes, it has switched, and the next process finds nothing to do.
          expect(["switched", "none"]).toContain(ended.outcome);
          await send(all, [...late]);
          const once = twoProjections();
          await send(once, items);
          expect(await readLivePointer(all.meta)).toMatchObject({ live: "B" });
          expect((await readLivePointer(all.meta)).building).toBeUndefined();
          expect(all.projections.open("B").contents()).toEqual(once.projections.open("A").contents());
        },
      ),
      { numRuns: 15 },
    );
  }, 120_000);
});

describe("a replay", () => {
  it("pauses without time, and continues", async () => {
    const all = twoProjections();
    await send(all, story(3));
    await startReplay(all.meta);
    const outcomes: Continued["outcome"][] = [];
    for (let batches = 0; outcomes.at(-1) !== "switched"; batches = 0) {
      const hasTime = () => batches++ < 1;
      outcomes.push((await continueReplay(all, { retry: PATIENT, hasTime })).outcome);
    }
    expect(outcomes).toEqual(["paused", "paused", "switched"]);
    expect(await continueReplay(all, { retry: PATIENT })).toEqual({ outcome: "none" });
  });

  it("retries failed items once before it gives up", async () => {
    const all = twoProjections();
    await send(all, story(5));
    let refusals = 5;
    const idle = all.projections.open("B");
    const busy = Object.assign(Object.create(idle) as typeof idle, {
      write: async (...args: Parameters<typeof idle.write>) =>
        refusals-- > 0 ? { outcome: "conflict" as const } : idle.write(...args),
    });
    const projections = {
      open: (name: "A" | "B") => (name === "B" ? busy : all.projections.open(name)),
      runs: (name: "A" | "B") => all.projections.runs(name),
      clear: all.projections.clear.bind(all.projections),
    };
    await startReplay(all.meta);
    const once = { attempts: 1, pause: async () => undefined };
    expect(await continueReplay({ ...all, projections }, { retry: once })).toMatchObject({ outcome: "switched" });
    expect(idle.contents()).toEqual(all.projections.open("A").contents());
  });

  it("that failed stops the second projection", async () => {
    const all = twoProjections();
    await send(all, story(6));
    await all.log.append({
      key: { pk: "east#20261121", sk: "damaged" },
      bytes: new Uint8Array(20),
      sha256: "00",
      factCount: 1,
    });
    await startReplay(all.meta);
    expect(await continueReplay(all, { retry: PATIENT })).toMatchObject({
      outcome: "incomplete",
      refold: [{ key: { sk: "damaged" } }],
    });
    const { version: _, ...pointer } = await readLivePointer(all.meta);
    expect(pointer).toEqual({ live: "A" });
  });
});
