import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startReplay } from "../../../src/upkeep/replay/rebuild-projection.ts";
import type { RowWrite } from "../../../src/ports/row-write.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";
import { KilledError, Process } from "../../support/killed/killed-at.ts";
import { continueReplay } from "../../support/killed/continue-replay.ts";

/** What may happen to a stage, in any order. `at`: before which of its requests a function is killed. */
const action = fc.oneof(
  fc.record({ kind: fc.constant("receive" as const), event: fc.nat(2) }),
  fc.record({ kind: fc.constant("notify" as const), isReversed: fc.boolean(), at: fc.option(fc.nat(12)) }),
  fc.record({ kind: fc.constant("report again" as const) }),
  fc.record({ kind: fc.constant("deliver" as const), accepts: fc.boolean(), at: fc.option(fc.nat(12)) }),
  fc.record({ kind: fc.constant("switch" as const) }),
);

type Action = typeof action extends fc.Arbitrary<infer Taken> ? Taken : never;

const RETRY = { attempts: 3, pause: async () => {} };

class Run {
  readonly stage = new NotifiedStage();
  /** Everything that the streams have reported, which Lambda may report again. */
  readonly reported: RowWrite[] = [];
  readonly #events = failingJob();

  async take(taken: Action): Promise<void> {
    const { stage } = this;
    stage.now += 1_000;
    switch (taken.kind) {
      case "receive":
        return stage.receive(this.#events[taken.event] ?? []);
      case "notify": {
        const writes = stage.reported();
        this.reported.push(...writes);
        return this.#killable(taken.at, (process) =>
          stage.notify(taken.isReversed ? writes.toReversed() : writes, process),
        );
      }
      case "report again":
        return this.#killable(null, () => stage.notify(this.reported));
      case "deliver":
        stage.answer = () =>
          taken.accepts ? { outcome: "accepted", status: 200 } : { outcome: "unreachable", problem: "down" };
        return this.#killable(taken.at, (process) =>
          stage.deliver(stage.subjects(), process === undefined ? {} : { process }),
        );
      case "switch":
        return this.#switch();
    }
  }

  /** Nothing more happens, and all functions run until nothing waits. */
  async settle(): Promise<void> {
    const { stage } = this;
    for (const [event] of this.#events.entries()) await this.take({ kind: "receive", event });
    this.reported.push(...stage.reported());
    await stage.notify(this.reported);
    stage.now += 200_000;
    await this.take({ kind: "deliver", accepts: true, at: null });
  }

  async #switch(): Promise<void> {
    const { meta, log, projections } = this.stage;
    await startReplay(meta);
    const hold = { now: () => this.stage.now, millis: 0 };
    await continueReplay({ meta, log, projections }, { retry: RETRY, hold });
    this.stage.now += 1_000;
  }

  async #killable(at: number | null, work: (process: Process | undefined) => Promise<unknown>): Promise<void> {
    try {
      await work(at === null ? undefined : new Process(at));
    } catch (cause) {
      if (!(cause instanceof KilledError)) throw cause;
      // The claims of a killed process end before its messages return.
      this.stage.now += 130_000;
    }
  }
}

describe("the messages about a Job", () => {
  it("have their effect once and in order, whatever is repeated, reordered, killed, refused or rebuilt", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 14 }), async (actions) => {
        const run = new Run();
        for (const taken of actions) await run.take(taken);
        await run.settle();
        const bodies = new Map<string, Set<string>>();
        for (const { notification } of run.stage.sent) {
          const known = bodies.get(notification.key) ?? new Set<string>();
          bodies.set(notification.key, known.add(JSON.stringify(notification)));
        }
        // One identity never has two contents, so that a receiver may ignore the second.
        for (const [key, contents] of bodies) expect(contents.size, key).toBe(1);
        const versions = [...bodies.keys()].map((key) => Number(key.split("/")[1]));
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
        expect(bodies.size).toBeGreaterThan(0);
        // Facts about a Job only accumulate, so no later message repeats an earlier one.
        const said = new Map(run.stage.sent.map(({ notification: { key, headline } }) => [key, headline]));
        expect(new Set(said.values()).size).toBe(said.size);
        expect(run.stage.sent[0]?.notification.kind).toBe("opened");
        expect(run.stage.sent.at(-1)?.notification.headline).toMatch(/^Failed .*exited with code 7/);
      }),
      { numRuns: 100 },
    );
  }, 120_000);
});
