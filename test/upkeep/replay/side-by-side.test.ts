import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogItem } from "../../../src/ports/log.ts";
import { logDayKey } from "../../../src/ports/meta-key.ts";
import type { ProjectionName, ClearableProjections } from "../../../src/ports/projections.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { otherThan, projectorOf } from "../../../src/projection/projector.ts";
import { startReplay } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { endTrial, switchProjection } from "../../../src/upkeep/replay/switch-projection.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { KilledError, Process } from "../../support/killed/killed-at.ts";
import type { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryProjections } from "../../support/stores/memory-projections.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { PATIENT, twoProjections } from "../../support/stores/two-projections.ts";
import { type Continued, continueReplay } from "../../support/killed/continue-replay.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

/** What happens to a stage, in any order. */
type Step =
  | { readonly step: "arrive" | "project" | "try" | "switch" | "keep" | "deploy" | "endIfEqual" | "endDespite" }
  /** A replay's process that is killed after some requests. */
  | { readonly step: "replay"; readonly life: number };

const STEPS = ["arrive", "arrive", "project", "try", "switch", "keep", "deploy", "endIfEqual", "endDespite"] as const;
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...STEPS).map((step): Step => ({ step })) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 60 }).map((life): Step => ({ step: "replay", life })) },
  ),
  { minLength: 5, maxLength: 40 },
);

/** A stage with two readers of the log's stream: the alias in use, and the projector of a trial while there is one. */
class Stage {
  readonly stores = twoProjections();
  /** Which releases wrote each projection since it was emptied. */
  readonly writers: Record<ProjectionName, Set<string>> = { A: new Set(), B: new Set() };
  readonly log: LogItem[] = [];
  /** The release of the alias in use, and that of the trial. */
  inUse = 1;
  tried: number | undefined;
  #deployed = 1;
  #read = 0;
  #readByTrial = 0;

  async arrive(item: LogItem): Promise<void> {
    const { meta, log } = this.stores;
    const day = logDayKey(clusterNamed("east"), item.key.pk.slice("east#".length));
    await meta.write("logDay", day, { value: "{}", expected: 0 });
    await log.append(item);
    this.log.push(item);
  }

  async project(): Promise<void> {
    const item = this.log[this.#read];
    if (item === undefined) return;
    this.#read += 1;
    await this.#projectWith(this.inUse, item, "live");
  }

  async try(): Promise<void> {
    const item = this.log[this.#readByTrial];
    if (this.tried === undefined || item === undefined) return;
    this.#readByTrial += 1;
    await this.#projectWith(this.tried, item, "trial");
  }

  /** A deployment with `keepProjectors`: the mapping of the trial begins with what the stream still has. */
  keep(): void {
    this.#deployed += 1;
    if (this.tried === undefined) this.#readByTrial = 0;
    this.tried = this.#deployed;
  }

  /** A deployment without it. The trial has read what the earlier version had read: the clean-up comes last. */
  async deploy(): Promise<void> {
    this.#deployed += 1;
    while (this.tried !== undefined && this.#readByTrial < this.#read) await this.try();
    this.tried = undefined;
    this.inUse = this.#deployed;
  }

  /** Starts a replay, or continues the one that was killed. The function has the release that was deployed last. */
  async replay(life: number): Promise<Continued | undefined> {
    const { log, meta } = this.stores;
    const process = new Process(life);
    const ports = {
      log: process.over(log),
      meta: process.over(meta),
      projections: process.over(this.#written(this.#deployed)),
    };
    try {
      const continued = await continueReplay(ports, { retry: PATIENT });
      if (continued.outcome !== "none") return continued;
      const kept = this.tried !== undefined && { kept: versions(this.inUse) };
      await startReplay(ports.meta, { ...kept, isTrial: this.tried !== undefined });
      return await continueReplay(ports, { retry: PATIENT });
    } catch (error) {
      if (error instanceof KilledError) return undefined;
      throw error;
    }
  }

  async drain(): Promise<void> {
    while (this.#read < this.log.length) await this.project();
    while (this.tried !== undefined && this.#readByTrial < this.log.length) await this.try();
  }

  async #projectWith(release: number, item: LogItem, kind: "live" | "trial"): Promise<void> {
    const projector = projectorOf(kind, ({ project }) => project === versions(release).project);
    const ports = { meta: this.stores.meta, projections: this.#written(release), projector };
    expect((await projectLive(ports, [item], PATIENT)).refold).toEqual([]);
  }

  /** The projections, which note who writes. */
  #written(release: number): ClearableProjections {
    const { projections } = this.stores;
    return {
      open: (name) => noting(projections.open(name), () => this.writers[name].add(`release ${release}`)),
      runs: (name) => projections.runs(name),
      clear: async (name) => {
        this.writers[name].clear();
        return projections.clear(name);
      },
    };
  }
}

function versions(release: number) {
  return { project: `${release}`, refold: `${release}` };
}

function noting(store: MemoryJobStore, note: () => void): MemoryJobStore {
  return Object.assign(Object.create(store) as MemoryJobStore, {
    write: async (...given: Parameters<MemoryJobStore["write"]>) => {
      note();
      return store.write(...given);
    },
  });
}

async function take(stage: Stage, step: Step, arriving: Iterator<LogItem, unknown>): Promise<void> {
  const { meta, projections } = stage.stores;
  switch (step.step) {
    case "arrive": {
      const next: IteratorResult<LogItem, unknown> = arriving.next();
      return next.done === true ? undefined : stage.arrive(next.value);
    }
    case "project":
      return stage.project();
    case "try":
      return stage.try();
    case "keep":
      return stage.keep();
    case "deploy":
      return stage.deploy();
    case "switch":
      return void (await switchProjection(meta, NOON));
    case "endIfEqual":
      return void (await endTrial({ meta, projections }));
    case "endDespite":
      return void (await endTrial({ meta, projections, despite: "tried enough" }));
    case "replay":
      return void (await stage.replay(step.life));
  }
}

/** A fold of the whole log by one release. */
async function folded(log: readonly LogItem[]): Promise<readonly unknown[]> {
  const { meta, projections } = { ...twoProjections(), projections: new MemoryProjections() };
  await projectLive({ meta, projections }, log, PATIENT);
  return statesOf(projections.open("A"));
}

/** How often a state was written differs. */
function statesOf({ states }: MemoryJobStore): readonly unknown[] {
  return [...states].map(([key, { bytes }]) => `${key} ${Buffer.from(bytes).toString("hex")}`).toSorted();
}

describe("projectors of two releases", () => {
  it("lose nothing of what answers, whatever is deployed, switched, ended or killed between", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 1_000 }), async (taken, seed) => {
        const stage = new Stage();
        const arriving = sealInSegments(fc.sample(arbitraryFact, { numRuns: 40, seed }), 3, NOON).values();
        for (const step of taken) await take(stage, step, arriving);
        await stage.drain();
        const { live } = await readLivePointer(stage.stores.meta);
        expect(statesOf(stage.stores.projections.open(live))).toEqual(await folded(stage.log));
      }),
      { numRuns: 40 },
    );
  });

  it("never write one projection in turns during a trial", async () => {
    const stage = new Stage();
    const [first, second, third, fourth] = sealInSegments(fc.sample(arbitraryFact, { numRuns: 40, seed: 7 }), 10, NOON);
    for (const item of [first, second]) if (item !== undefined) await stage.arrive(item);
    await stage.project();
    stage.keep();
    await stage.try();
    expect(await stage.replay(Number.POSITIVE_INFINITY)).toMatchObject({ outcome: "kept", live: "A" });
    for (const item of [third, fourth]) if (item !== undefined) await stage.arrive(item);
    await stage.drain();
    await switchProjection(stage.stores.meta, NOON);
    await stage.drain();
    expect([...stage.writers.A]).toEqual(["release 1"]);
    expect([...stage.writers.B]).toEqual(["release 2"]);
    for (const name of ["A", "B"] as const) {
      expect(statesOf(stage.stores.projections.open(name))).toEqual(await folded(stage.log));
    }
  });

  it("share records, which only the kept one writes", async () => {
    const alone = new Stage();
    const beside = new Stage();
    beside.keep();
    const items = sealInSegments(fc.sample(arbitraryFact, { numRuns: 60, seed: 3 }), 5, NOON);
    for (const stage of [alone, beside]) {
      for (const item of items.slice(0, 4)) await stage.arrive(item);
      await stage.drain();
    }
    const { meta } = beside.stores;
    const before = meta.contents().filter(isShared);
    await beside.replay(Number.POSITIVE_INFINITY);
    expect(meta.contents().filter(isShared)).toEqual(before);
    for (const stage of [alone, beside]) {
      for (const item of items.slice(4)) await stage.arrive(item);
      await stage.drain();
    }
    expect(meta.contents().filter(isShared)).toEqual(alone.stores.meta.contents().filter(isShared));
    expect(otherThan((await readLivePointer(meta)).live)).toBe("B");
  });
});

/** Not the records of the replay itself. */
function isShared(record: string): boolean {
  return !/^(live|position)\|/.test(record);
}
