import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyArchive } from "../../../../src/archive/verify/verify-archive.ts";
import { eraseData, type ErasurePorts } from "../../../../src/log/erasure/command/erase-data.ts";
import { planErasure } from "../../../../src/log/erasure/command/plan-erasure.ts";
import { listErasures } from "../../../../src/log/erasure/stored-erasures.ts";
import { outboxStatus } from "../../../../src/notify/outbox/outbox-status.ts";
import { updateOutbox } from "../../../../src/notify/outbox/update-outbox.ts";
import { acknowledgementKey, holdKey, namespaceMarksKey } from "../../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../../src/ports/records/record-codec.ts";
import { holdRecord } from "../../../../src/upkeep/holds/legal-holds.ts";
import { listChanges } from "../../../../src/query/changes/changes.ts";
import { archiveDatabase } from "../../../../src/host/embedded/archive-database.ts";
import { EIGHT, endedJob, HOUR, startedJob } from "../../../support/archive/archive-scene.ts";
import {
  ACKNOWLEDGED,
  ACKNOWLEDGED_BESIDE,
  cluster,
  ERASED_AT,
  ErasureScene,
  NAMES,
  NAMESPACE,
  namespaceSays,
  ofCluster,
  ofJob,
  ofNamespace,
  OTHERS,
  uidOf,
} from "../../../support/erasure/erasure-scene.ts";
import { recordOf } from "../../../../src/projection/run-state/project-run.ts";
import { parentObserved } from "../../../support/facts/parent-facts.ts";
import { memberFacts, runFacts, runUidNamed } from "../../../support/facts/run-facts.ts";
import { searchFolder } from "../../../support/erasure/search-bytes.ts";
import { KilledError } from "../../../support/killed/killed-at.ts";
import { erasableArchive } from "../../../../src/archive/write/erase-archive.ts";

let scene: ErasureScene;
beforeEach(async () => {
  scene = new ErasureScene();
  await scene.fill();
});
afterEach(() => scene.remove());

const WRITES = new Set([
  "write",
  "replaceItem",
  "removeRecord",
  "removeJob",
  "purge",
  "erase",
  "forget",
  "relabel",
  "putIfAbsent",
  "remove",
]);

/** A store of a process that is killed before one of its writes. */
function killing<Store extends object>(store: Store, beforeWrite: () => void): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === "object" && member !== null) return killing(member, beforeWrite);
      if (typeof member !== "function" || !WRITES.has(String(name))) return member;
      return async (...args: readonly unknown[]) => {
        beforeWrite();
        return Reflect.apply(member, target, [...args]) as unknown;
      };
    },
  });
}

function killedAt(step: number): ErasurePorts {
  let left = step;
  const beforeWrite = (): void => {
    left -= 1;
    if (left < 0) throw new KilledError();
  };
  const { eraser, meta, ...ports } = scene.ports();
  return {
    ...ports,
    meta: killing(meta, beforeWrite),
    eraser: killing(eraser, beforeWrite),
    archive: erasableArchive(killing(scene.archive, beforeWrite)),
  };
}

describe("an erasure that is killed", () => {
  it("at any step is finished by the same command, which leaves nothing", { timeout: 240_000 }, async () => {
    let kills = 0;
    // What an attempt has done stays: each comes further than the one before, or is killed once more at the same place.
    for (let step = 0; ; step += 0.5) {
      try {
        await scene.erase(ofNamespace, killedAt(step));
        break;
      } catch (cause) {
        if (!(cause instanceof KilledError)) throw cause;
        kills += 1;
      }
    }
    expect(kills).toBeGreaterThan(10);
    expect(await searchFolder(scene.stores, [NAMESPACE, NAMES.job, NAMES.message])).toEqual([]);
    expect((await verifyArchive(scene.archive)).problems).toEqual([]);
    expect(await listErasures(scene.tracker.meta)).toMatchObject([{ record: { stage: "done" } }]);
  });

  it("forbids another one until it is finished", async () => {
    await expect(scene.erase(ofJob, { ...scene.ports(), eraser: failing(scene.ports().eraser) })).rejects.toThrow(
      "disk",
    );
    expect(await scene.erase(ofCluster)).toMatchObject({
      outcome: "unfinished",
      other: { level: "job", stage: "erasing" },
    });
    expect(await scene.erase(ofJob)).toMatchObject({ outcome: "erased" });
    expect(await scene.erase(ofCluster)).toMatchObject({ outcome: "erased" });
  });
});

function failing(eraser: ErasurePorts["eraser"]): ErasurePorts["eraser"] {
  return { ...eraser, removeJob: () => Promise.reject(new Error("disk")) };
}

/** The uids and names of the Jobs of each run, in both projections. */
async function storedRuns(): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const projection of ["A", "B"] as const) {
    for await (const runUid of scene.tracker.eraser.runs.storedJobs(projection, cluster)) {
      const stored = await scene.tracker.projections.runs(projection).read({ cluster, jobUid: runUid });
      const { jobs } = recordOf(runUid, stored);
      found[`${projection} ${runUid}`] = [...jobs.values()].map(({ job }) => job.name).toSorted();
    }
  }
  return found;
}

describe("an erasure of what has runs", () => {
  const story = {
    namespace: NAMESPACE,
    name: "koala-train",
    createdAt: EIGHT,
    jobs: ["koala-train-0", "koala-train-1"],
  };
  const other = { namespace: "zoo", name: "emu-train", createdAt: EIGHT, jobs: ["emu-train-0"] };
  const single = parentObserved({
    namespace: NAMESPACE,
    name: `job-${NAMES.job}`,
    uid: "workload-of-job",
    of: "Workload",
    runUid: String(uidOf(NAMES.job)),
    owner: { kind: "Job", name: NAMES.job, uid: uidOf(NAMES.job) },
    createdAt: EIGHT,
    at: EIGHT,
  });

  beforeEach(async () => {
    const facts = [story, other].flatMap((each) => [...runFacts(each), ...memberFacts(each)]);
    await scene.send([...facts, single], EIGHT + HOUR / 2);
    await archiveDatabase(scene.tracker, scene.archive, { now: ERASED_AT });
    // Both projections have the runs.
    expect(await scene.tracker.replay()).toMatchObject({ outcome: "switched" });
  });

  it("removes the run of the Job itself, and no other", async () => {
    const before = await storedRuns();
    expect(Object.keys(before)).toHaveLength(6);
    await scene.erase(ofJob);
    const uid = uidOf(NAMES.job);
    const { [`A ${uid}`]: _, [`B ${uid}`]: __, ...others } = before;
    expect(await storedRuns()).toEqual(others);
    expect(await searchFolder(scene.stores, [NAMES.job])).toEqual([]);
  });

  it("takes an erased Job out of its run, and what the run says about it", async () => {
    await scene.erase({ ...ofJob, name: "koala-train-0" });
    const uid = runUidNamed("koala-train");
    expect(await storedRuns()).toMatchObject({ [`A ${uid}`]: ["koala-train-1"], [`B ${uid}`]: ["koala-train-1"] });
    expect(await searchFolder(scene.stores, ["koala-train-0"])).toEqual([]);
    expect((await scene.tracker.verify()).mismatches).toEqual([]);
  });

  it.each([
    ["the namespace", ofNamespace, [`A ${runUidNamed("emu-train")}`, `B ${runUidNamed("emu-train")}`]],
    ["the cluster", ofCluster, []],
  ])("removes all runs of %s, which later facts do not bring back", async (_, target, left) => {
    await scene.erase(target);
    expect(Object.keys(await storedRuns()).toSorted()).toEqual(left);
    await scene.send([...runFacts(story), ...memberFacts(story), single], EIGHT + HOUR / 2 + 1);
    expect(Object.keys(await storedRuns()).toSorted()).toEqual(left);
    expect(await searchFolder(scene.stores, [NAMESPACE, "koala", NAMES.job])).toEqual([]);
  });

  it("keeps the runs of objects that are created after it", async () => {
    await scene.erase(ofNamespace);
    const later = { ...story, name: "quoll-train", createdAt: ERASED_AT + HOUR, jobs: ["quoll-train-0"] };
    await scene.send([...runFacts(later), ...memberFacts(later)], ERASED_AT + 2 * HOUR);
    const uid = runUidNamed("quoll-train");
    expect(await storedRuns()).toMatchObject({ [`B ${uid}`]: ["quoll-train-0"] });
  });
});

describe("an erasure", () => {
  it.each([
    ["the Job", { cluster, namespace: NAMESPACE, name: NAMES.job }, ofJob],
    ["the namespace of the Job", { cluster, namespace: NAMESPACE }, ofJob],
    ["a Job of the namespace", { cluster, namespace: NAMESPACE, name: NAMES.job }, ofNamespace],
    ["a namespace of the cluster", { cluster, namespace: NAMESPACE }, ofCluster],
  ])("is refused while %s is under a legal hold", async (_, held, target) => {
    const value = { reason: "case-4711", heldAt: "2026-11-21T08:00:00Z" };
    await writeRecord(scene.tracker.meta, holdRecord, { key: holdKey(held), value, expected: 0 });
    expect(await scene.erase(target)).toMatchObject({ outcome: "held", hold: { reason: "case-4711" } });
    expect(await listErasures(scene.tracker.meta)).toEqual([]);
  });

  it("removes the name of a hold that was released", async () => {
    const value = { reason: "case-4711", heldAt: "2026-11-21T08:00:00Z", releasedAt: "2026-11-21T09:00:00Z" };
    const key = holdKey({ cluster, namespace: NAMESPACE, name: NAMES.job });
    await writeRecord(scene.tracker.meta, holdRecord, { key, value, expected: 0 });
    await scene.erase(ofJob);
    expect(await scene.tracker.meta.read("hold", key)).toBeUndefined();
  });

  it("of one uid keeps the released hold of the name, which other Jobs had", async () => {
    const value = { reason: "case-4711", heldAt: "2026-11-21T08:00:00Z", releasedAt: "2026-11-21T09:00:00Z" };
    const key = holdKey({ cluster, namespace: NAMESPACE, name: NAMES.job });
    await writeRecord(scene.tracker.meta, holdRecord, { key, value, expected: 0 });
    expect(await scene.erase({ ...ofJob, uid: String(uidOf(NAMES.job)) })).toMatchObject({ outcome: "erased" });
    expect(await scene.tracker.meta.read("hold", key)).toMatchObject({ key });
  });

  it.each([
    ["a Job", ofJob],
    ["one uid of a Job", { ...ofJob, uid: String(uidOf(NAMES.job)) }],
    ["a namespace", ofNamespace],
    ["a cluster", ofCluster],
  ])("of %s removes the acknowledgements of its namespace", async (_, target) => {
    const keys = async () =>
      (await scene.tracker.meta.list("acknowledgement", { prefix: "", limit: 9 })).records.map(({ key }) => key);
    const [mine, beside] = [ACKNOWLEDGED, ACKNOWLEDGED_BESIDE].map(({ namespace, id }) =>
      acknowledgementKey(cluster, namespace, id),
    );
    expect(await keys()).toEqual([mine, beside]);
    await scene.erase(target);
    expect(await keys()).toEqual(target.level === "cluster" ? [] : [beside]);
  });

  it("of a Job that never existed is not recorded, and leaves the acknowledgements of the namespace", async () => {
    expect(await scene.erase({ ...ofJob, name: "wombat-payrol" })).toEqual({ outcome: "nothing" });
    expect((await scene.tracker.meta.list("acknowledgement", { prefix: "", limit: 9 })).records).toHaveLength(2);
  });

  it("of what no store has is not recorded", async () => {
    expect(await scene.erase({ ...ofNamespace, namespace: "unknown" })).toEqual({ outcome: "nothing" });
    expect(await listErasures(scene.tracker.meta)).toEqual([]);
  });

  it("records what was erased, when, by whom and why, with the counts and without the names", async () => {
    const erased = await scene.erase(ofJob);
    expect(erased).toMatchObject({
      outcome: "erased",
      record: {
        level: "job",
        cluster,
        at: ERASED_AT,
        by: "alice",
        reason: "request 12",
        counts: { jobs: 1, pods: 1, states: { Failed: 1 }, segments: 1, objects: 4 },
      },
    });
    expect(JSON.stringify(erased)).not.toContain(NAMES.job);
  });

  it.each([
    ["of a Job keeps", ofJob, true],
    ["of the namespace removes", ofNamespace, false],
    ["of the cluster removes", ofCluster, false],
  ])("%s what the namespace said for Outlive", async (_, target, isKept) => {
    const key = namespaceMarksKey(cluster, NAMESPACE);
    const isStored = async () => (await scene.tracker.meta.read("namespaceMarks", key)) !== undefined;
    expect(await isStored()).toBe(true);
    await scene.erase(target);
    expect(await isStored()).toBe(isKept);
    await scene.tracker.replay();
    expect(await isStored()).toBe(isKept);
  });

  it("of the namespace keeps what it says since then", async () => {
    const at = ERASED_AT + HOUR;
    await scene.send([namespaceSays("numbat", at)], at);
    await scene.erase(ofNamespace);
    const key = namespaceMarksKey(cluster, NAMESPACE);
    expect((await scene.tracker.meta.read("namespaceMarks", key))?.value).toContain('"outlive.dev/notify":"numbat"');
  });

  it("keeps the counters of metrics", async () => {
    const finished = async () =>
      (await scene.tracker.metrics.show())
        .filter(({ family }) => family === 2)
        .reduce((sum, { parts }) => sum + (parts.get(0) ?? 0), 0);
    const before = await finished();
    await scene.erase(ofNamespace);
    expect(before).toBeGreaterThan(0);
    expect(await finished()).toBe(before);
  });

  it("leaves in metrics what a newer Job of the namespace contributes", async () => {
    const createdAt = ERASED_AT + HOUR;
    const named = (namespace: string) =>
      scene.tracker.metrics
        .show()
        .then((all) =>
          all.flatMap(({ family, labels, parts }) =>
            labels["namespace"] === namespace
              ? [{ family, state: labels["state"], parts: Object.fromEntries(parts) }]
              : [],
          ),
        );
    await scene.send(startedJob({ name: "newer", namespace: NAMESPACE, createdAt }), createdAt);
    await scene.send(startedJob({ name: "twin", namespace: "twins", createdAt }), createdAt);
    await scene.erase(ofNamespace);
    await scene.tracker.replay();
    expect(await named(NAMESPACE)).toEqual(await named("twins"));
    await scene.send(endedJob({ name: "newer", namespace: NAMESPACE, createdAt }), createdAt + HOUR);
    await scene.send(endedJob({ name: "twin", namespace: "twins", createdAt }), createdAt + HOUR);
    expect(await named(NAMESPACE)).toEqual(await named("twins"));
  });

  it("keeps the number of messages that a receiver was sent", async () => {
    const { dueSubjects, meta, retry } = scene.tracker;
    const [subject = ""] = await dueSubjects.due("hook", { now: ERASED_AT, limit: 10 });
    await updateOutbox({ meta, retry, now: () => ERASED_AT }, subject, (outbox) => {
      for (const { key } of outbox.content.waiting) outbox.settle(key, { outcome: "delivered" }, ERASED_AT);
    });
    await scene.erase(ofJob);
    expect((await outboxStatus(meta, 10)).receivers).toMatchObject([{ receiver: "hook", delivered: 1 }]);
  });

  it("removes the announced changes of the Job, and those of no other", async () => {
    const names = async () => {
      const { log, meta, projections } = scene.tracker;
      const ports = { log, meta, jobs: projections.open("A") };
      const page = await listChanges(ports, "everything", { filter: {}, limit: 100, now: Date.now(), since: 0 });
      return page.outcome === "listed" ? new Set(page.items.map(({ job }) => job.name)) : page.problem;
    };
    expect(await names()).toEqual(new Set([NAMES.job, OTHERS.sibling, OTHERS.neighbour]));
    await scene.erase(ofJob);
    expect(await names()).toEqual(new Set([OTHERS.sibling, OTHERS.neighbour]));
  });

  it("stops before it removes anything where a segment of the log cannot be read", async () => {
    const ports = scene.ports();
    const log = {
      ...ports.log,
      readDay: async () => ({
        items: [
          {
            key: { pk: "east#20261121", sk: "2026-11-21T08:00:00.000Z#x#1" },
            bytes: Uint8Array.of(9),
            sha256: "",
            factCount: 1,
          },
        ],
      }),
    };
    await expect(eraseData({ ...ports, log }, { target: ofJob, by: "a", reason: "b", at: ERASED_AT })).rejects.toThrow(
      /cannot be read/,
    );
    expect(await searchFolder(scene.stores, [NAMES.job])).not.toEqual([]);
  });
});

describe.each([
  ["a Job", ofJob],
  ["a namespace", ofNamespace],
  ["a cluster", ofCluster],
] as const)("the plan to erase %s", (_, target) => {
  it("has the counts of the erasure", async () => {
    const planned = await planErasure(scene.ports(), { target, by: "alice", reason: "request 12", at: ERASED_AT });
    const erased = await scene.erase(target);
    expect(planned.objects).toBeGreaterThan(0);
    expect(erased).toMatchObject({ outcome: "erased", record: { counts: planned } });
  });
});
