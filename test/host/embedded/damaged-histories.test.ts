import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { erasurePorts } from "../../../src/host/embedded/erase-embedded.ts";
import { type Embedded, trackerOn } from "../../../src/host/embedded/embedded-tracker.ts";
import { eraseData } from "../../../src/log/erasure/command/erase-data.ts";
import { listErasures } from "../../../src/log/erasure/stored-erasures.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { EIGHT, endedJob, HOUR, startedJob } from "../../support/archive/archive-scene.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { flipAnyBit, flipValue } from "../../support/killed/flip-bits.ts";
import { Life, mortalDatabase } from "../../support/killed/mortal-database.ts";
import { answersOf, differingJobs, isAnswer, noticedIn, unnamedJobs, within } from "../../support/killed/noticed.ts";
import { KilledError } from "../../support/killed/killed-at.ts";

const cluster = clusterNamed("east");
const DAY = 24 * HOUR;
const folder = mkdtempSync(join(tmpdir(), "outlive-damaged-histories-"));
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterAll(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** Changes what there should be. A repetition changes nothing. */
type Change =
  | { readonly does: "import"; readonly facts: readonly Fact[]; readonly day: number }
  | { readonly does: "retain"; readonly days: number; readonly day: number }
  | { readonly does: "erase"; readonly namespace: string; readonly name?: string };

type Step =
  | Change
  | { readonly does: "flip"; readonly place: number; readonly isInRow: boolean }
  | { readonly does: "replay" }
  | {
      readonly does: "killed";
      readonly write: number;
      readonly command: Change | "replay";
      readonly replayed: boolean;
    };

const [namespace, name, day] = [fc.constantFrom("shop", "bank"), fc.constantFrom("a", "b", "c"), fc.nat(60)];
const story = fc.record({ namespace, name, day, hasEnded: fc.boolean() }).map((job) => {
  const created = job.day % 3;
  // The uid is the name, so a name belongs to one namespace.
  const named = { namespace: job.namespace, name: `${job.namespace}-${job.name}-${created}` };
  const told = { ...named, createdAt: EIGHT + created * DAY };
  return job.hasEnded ? endedJob(told) : startedJob(told);
});
const facts = fc.oneof(
  { weight: 3, arbitrary: fc.array(story, { minLength: 1, maxLength: 3 }).map((each) => each.flat()) },
  { weight: 1, arbitrary: fc.array(arbitraryFact, { minLength: 1, maxLength: 15 }) },
);
const told = fc.record({ does: fc.constant("import" as const), facts, day });
const change: fc.Arbitrary<Change> = fc.oneof(
  told,
  fc.record({ does: fc.constant("retain" as const), days: fc.integer({ min: 1, max: 20 }), day }),
  fc.record(
    { does: fc.constant("erase" as const), namespace, name: fc.constantFrom("a-0", "b-1", "c-2") },
    { requiredKeys: ["does", "namespace"] },
  ),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: change },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("flip" as const),
      place: fc.nat(),
      isInRow: fc.nat(3).map((one) => one > 0),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ does: "replay" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("killed" as const),
      write: fc.nat(15),
      command: fc.oneof(fc.constant("replay" as const), change),
      replayed: fc.boolean(),
    }),
  },
);

async function run(embedded: Embedded, command: Change | "replay"): Promise<void> {
  if (command === "replay") {
    await embedded.replay();
    return;
  }
  switch (command.does) {
    case "import":
      // The clock follows the facts: rows of a silent cluster rest after a day, and a replay then derives other ones.
      vi.setSystemTime(Math.max(Date.now(), ...command.facts.map(({ at }) => at)));
      await embedded.importFacts(once(command.facts), { cluster, now: EIGHT + command.day * DAY, segmentJobs: 2 });
      await embedded.sweep({ now: Date.now(), freshMillis: 0 });
      return;
    case "retain":
      await embedded.forget({ days: command.days, now: EIGHT + command.day * DAY });
      return;
    case "erase": {
      const of = { cluster, namespace: command.namespace };
      const target =
        command.name === undefined
          ? ({ level: "namespace", ...of } as const)
          : ({ level: "job", ...of, name: `${command.namespace}-${command.name}` } as const);
      // A file and its twin give the same names to what is erased.
      const id = `00000000-0000-4000-8000-${String((await listErasures(embedded.meta)).length).padStart(12, "0")}`;
      const ports = { ...erasurePorts(embedded, { settleMillis: 0 }), newId: () => id };
      await eraseData(ports, { target, by: "alice", reason: "", at: EIGHT + DAY });
    }
  }
}

async function* once(some: readonly Fact[]): AsyncGenerator<readonly Fact[]> {
  yield some;
}

/** A list says as of when its rows were derived, and a replay derives them again. */
async function comparable(path: string): Promise<string> {
  return (await answersOf(path)).replaceAll(/"asOf":\{"time":"[^"]*"/g, '"asOf":{"time":""');
}

/** A file that is flipped, killed and replayed, and its twin, to which nothing happens but what there should be. */
class Scene {
  static #count = 0;
  readonly #path = join(folder, `${Scene.#count++}.sqlite`);
  readonly #twin = `${this.#path}-twin`;
  readonly #backup = `${this.#path}-backup`;
  #isDamaged = false;
  /** The answers of the twin. */
  #right: string | undefined;

  constructor() {
    vi.setSystemTime(EIGHT);
  }

  async take(taken: Step): Promise<void> {
    switch (taken.does) {
      case "flip":
        return this.#flip(taken);
      case "replay":
        return void (await this.#attempt("replay"));
      case "killed":
        return this.#kill(taken);
      case "import":
      case "retain":
      case "erase":
        return this.#change(taken);
    }
  }

  /**
   * The answers are those of the twin, or verify says what is wrong: it names the Jobs that differ, or something that
   * is about all of them. It says nothing about a file that is sound.
   */
  async check(): Promise<void> {
    const noticed = await noticedIn(this.#path);
    if (!this.#isDamaged) expect(noticed).toEqual([]);
    this.#right ??= await comparable(this.#twin);
    const answers = await comparable(this.#path);
    if (noticed.length === 0) expect(answers).toBe(this.#right);
    else if (isAnswer(answers)) expect(unnamedJobs(noticed, differingJobs(answers, this.#right))).toEqual([]);
  }

  /** A replay repairs what follows from the log. If it fails or verify objects, the last backup is restored. */
  async recover(): Promise<void> {
    if (!this.#isDamaged) return;
    const isReplayed = await this.#attempt("replay");
    await this.check();
    if (!isReplayed || (await noticedIn(this.#path)).length > 0) copyFileSync(this.#backup, this.#path);
    this.#isDamaged = false;
  }

  async #change(command: Change): Promise<void> {
    await this.recover();
    this.#right = undefined;
    for (const path of [this.#path, this.#twin]) await within(path, (embedded) => run(embedded, command));
  }

  #flip({ place, isInRow }: Step & { readonly does: "flip" }): void {
    if (!this.#isDamaged) copyFileSync(this.#path, this.#backup);
    this.#isDamaged = true;
    if (isInRow) flipValue(this.#path, place);
    else flipAnyBit(this.#path, place);
  }

  /** Whether the command ended. It may fail on a damaged file. */
  async #attempt(command: Change | "replay"): Promise<boolean> {
    const work = within(this.#path, (embedded) => run(embedded, command)).then(() => true);
    return this.#isDamaged ? work.catch(() => false) : work;
  }

  async #kill({ write, command, replayed }: Step & { readonly does: "killed" }): Promise<void> {
    if (command !== "replay") await this.recover();
    const now = Date.now();
    await this.#runKilled(command, write);
    // If the cluster were silent for a day, rows would rest as of its last data (docs/decisions/0025).
    vi.setSystemTime(now);
    if (replayed) await this.#attempt("replay");
    if (command !== "replay") await this.#change(command);
  }

  async #runKilled(command: Change | "replay", write: number): Promise<void> {
    let database: ReturnType<typeof openDatabase> | undefined;
    try {
      database = openDatabase(this.#path);
      await run(trackerOn(mortalDatabase(database, new Life(write))), command);
    } catch (cause) {
      if (!(cause instanceof KilledError || this.#isDamaged)) throw cause;
    } finally {
      database?.close();
    }
  }
}

/** The kinds of steps, with the command that is killed. */
const KINDS = ["import", "retain", "erase", "flip", "replay", ...["import", "retain", "erase", "replay"].map(killed)];

function killed(command: string): string {
  return `killed ${command}`;
}

function kindOf(taken: Step): string {
  if (taken.does !== "killed") return taken.does;
  return killed(taken.command === "replay" ? "replay" : taken.command.does);
}

/** Few histories, because each opens its file about a hundred times. Those of each seed have every kind of step. */
const HISTORIES = { numRuns: 8, endOnFailure: true };

describe("a database file", () => {
  it("in which the row of one Job is damaged differs about this Job, and verify names it", async () => {
    const path = join(folder, "one-job.sqlite");
    const jobs = ["a", "b"].flatMap((job) => endedJob({ name: `shop-${job}-0`, createdAt: EIGHT }));
    await within(path, (embedded) => run(embedded, { does: "import", facts: jobs, day: 0 }));
    const right = await comparable(path);
    const sqlite = new DatabaseSync(path);
    sqlite.exec("UPDATE jobs_a SET name = 'shop-c-0' WHERE job_uid = 'shop-a-0'");
    sqlite.close();
    const differing = differingJobs(await comparable(path), right);
    expect(differing).toEqual(["shop-a-0"]);
    expect(unnamedJobs(await noticedIn(path), differing)).toEqual([]);
    expect(unnamedJobs(["row jobs_a east shop-b-0", "Job shop-b-0: different"], differing)).toEqual(differing);
  });

  it.each([[37], [49]])(
    "answers what it should, or verify names what is wrong, in histories of seed %i",
    async (seed) => {
      const taken = new Set<string>();
      await fc.assert(
        fc.asyncProperty(told, fc.array(step, { maxLength: 8 }), async (first, steps) => {
          const scene = new Scene();
          for (const one of [first, ...steps]) {
            taken.add(kindOf(one));
            await scene.take(one);
            await scene.check();
          }
          await scene.recover();
          await scene.check();
        }),
        { ...HISTORIES, seed },
      );
      expect([...taken].sort()).toEqual([...KINDS].sort());
    },
    600_000,
  );
});
