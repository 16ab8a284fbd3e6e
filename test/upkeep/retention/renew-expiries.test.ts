import { beforeEach, describe, expect, it } from "vitest";
import { NEVER } from "../../../src/ports/expiry/job-expiry.ts";
import type { ExpiringJob } from "../../../src/ports/expiry/job-expiries.ts";
import { holdKey, namespaceKey, retentionKey } from "../../../src/ports/meta-key.ts";
import { readRecord, writeRecord } from "../../../src/ports/records/record-codec.ts";
import { holdRecord, legalHolds } from "../../../src/upkeep/holds/legal-holds.ts";
import { retentionRecord } from "../../../src/ports/expiry/retention-record.ts";
import { emptyJobState, encodeJobState } from "../../../src/projection/job-state/job-state.ts";
import { renewExpiries, RULES_SETTLED_MS } from "../../../src/upkeep/retention/renew-expiries.ts";
import { ALL_ROUNDS, readRetentionChanges, roundsOf } from "../../../src/upkeep/retention/retention-changes.ts";
import { MemoryJobExpiries } from "../../support/aws/memory-job-expiries.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { Story } from "../../support/story/story.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
const STANDARD = 30;
const at = "2026-11-21T08:00:00Z";
const east = clusterNamed("east");
const INLINE = encodeJobState(emptyJobState(jobUid("a")));
/** The first byte of a state names its layout. */
const LARGE = Uint8Array.of(2);

let meta: MemoryMetaStore;
let expiries: { A: MemoryJobExpiries; B: MemoryJobExpiries };
let runs: { A: MemoryJobExpiries; B: MemoryJobExpiries };
let now: number;
beforeEach(async () => {
  meta = new MemoryMetaStore();
  expiries = { A: new MemoryJobExpiries(), B: new MemoryJobExpiries() };
  runs = { A: new MemoryJobExpiries(), B: new MemoryJobExpiries() };
  now = NOW;
  for (const namespace of ["bank", "shop"]) {
    await meta.write("namespace", namespaceKey(east, namespace), { value: "{}", expected: 0 });
  }
});

/** A Job that ended ten days ago, as it was written with the setting. */
function ended(uid: string, changes: Partial<ExpiringJob> = {}): ExpiringJob {
  const endedAt = NOW - 10 * DAY;
  return {
    key: { cluster: east, jobUid: jobUid(uid) },
    namespace: "shop",
    name: uid,
    endedAt,
    version: 3,
    expiresAt: endedAt + STANDARD * DAY,
    state: INLINE,
    ...changes,
  };
}

const expiryOf = (uid: string, projection: "A" | "B" = "A") => expiries[projection].jobs.get(jobUid(uid))?.expiresAt;

async function setRule(days: number | undefined, namespace?: string): Promise<void> {
  const key = retentionKey(east, namespace);
  const known = await readRecord(meta, retentionRecord, key);
  const value = { setAt: at, ...(days !== undefined && { days }) };
  await writeRecord(meta, retentionRecord, { key, value, expected: known?.version ?? 0 });
}

async function setHold(held: { readonly namespace?: string; readonly name?: string }, releasedAt?: string) {
  const key = holdKey({ cluster: east, ...held });
  const known = await readRecord(meta, holdRecord, key);
  const value = { reason: "case", heldAt: at, ...(releasedAt !== undefined && { releasedAt }) };
  await writeRecord(meta, holdRecord, { key, value, expected: known?.version ?? 0 });
}

function renew(hasTime = () => true) {
  const stored = { A: { jobs: expiries.A, runs: runs.A }, B: { jobs: expiries.B, runs: runs.B } };
  const stores = { meta, expiries: stored, holds: [legalHolds] };
  return renewExpiries(stores, { now: () => now, standardDays: STANDARD, hasTime });
}

describe("stored Jobs after a change of the rules", () => {
  it("follow the rule of their namespace, in both projections", async () => {
    for (const jobs of Object.values(expiries)) {
      jobs.put(ended("a"));
      jobs.put(ended("b", { namespace: "bank" }));
    }
    await setRule(400, "bank");
    await setRule(15, "shop");
    const changes = await renew();
    expect(changes.map((change) => [change.place.namespace, roundsOf(change)])).toEqual([
      ["bank", 1],
      ["shop", 1],
    ]);
    for (const projection of ["A", "B"] as const) {
      expect(expiryOf("a", projection)).toBe(NOW + 5 * DAY);
      expect(expiryOf("b", projection)).toBe(NOW + 390 * DAY);
    }
    expect(expiries.A.jobs.get(jobUid("a"))?.version).toBe(4);
  });

  it("follow the rule of their cluster, unless their namespace has one", async () => {
    expiries.A.put(ended("a"));
    expiries.A.put(ended("b", { namespace: "bank" }));
    await setRule(400, "bank");
    await setRule(20);
    await renew();
    expect([expiryOf("a"), expiryOf("b")]).toEqual([NOW + 10 * DAY, NOW + 390 * DAY]);
    await setRule(undefined, "bank");
    await renew();
    expect(expiryOf("b")).toBe(NOW + 10 * DAY);
  });

  it("are visited a second time when no writer has the earlier rules, and then rest", async () => {
    expiries.A.put(ended("a"));
    await setHold({ namespace: "shop" });
    await renew();
    // A projector with the earlier rules writes the Job again.
    expiries.A.put(ended("a", { version: 5 }));
    now += RULES_SETTLED_MS - 1;
    await renew();
    expect(expiryOf("a")).toBe(NOW + 20 * DAY);
    now += 1;
    expect((await renew()).map(roundsOf)).toEqual([ALL_ROUNDS]);
    expect(expiryOf("a")).toBe(NEVER);
    const { writes } = expiries.A;
    expiries.A.put(ended("b"));
    await renew();
    expect(expiries.A.writes).toBe(writes);
    const [change] = await readRetentionChanges({ meta, holds: [legalHolds] });
    expect(change?.progress?.value).toMatchObject({ jobs: 1, changed: 2 });
  });

  it("keep the expiry that a writer gives them meanwhile", async () => {
    expiries.A.put(ended("a"));
    await setRule(400);
    expiries.A.beforeSet = () => expiries.A.put(ended("a", { version: 4, expiresAt: NOW + 55 * DAY }));
    await renew();
    expect(expiryOf("a")).toBe(NOW + 55 * DAY);
  });
});

describe("a legal hold", () => {
  it.each([
    ["a name", { namespace: "shop", name: "a" }, [NEVER, NOW + 20 * DAY, NOW + 20 * DAY]],
    ["a namespace", { namespace: "shop" }, [NEVER, NEVER, NOW + 20 * DAY]],
    ["a cluster", {}, [NEVER, NEVER, NEVER]],
  ])("on %s keeps its Jobs, until it is released", async (_, held, expected) => {
    for (const job of [ended("a"), ended("b"), ended("c", { namespace: "bank" })]) expiries.A.put(job);
    await setHold(held);
    await renew();
    expect([expiryOf("a"), expiryOf("b"), expiryOf("c")]).toEqual(expected);
    await setHold(held, at);
    await renew();
    expect([expiryOf("a"), expiryOf("b"), expiryOf("c")]).toEqual(Array(3).fill(NOW + 20 * DAY));
  });

  it("stays when another one on the same Jobs is released", async () => {
    expiries.A.put(ended("a"));
    await setHold({});
    await setHold({ namespace: "shop", name: "a" });
    await renew();
    await setHold({}, at);
    await renew();
    expect(expiryOf("a")).toBe(NEVER);
  });

  it("keeps Jobs that have expired and were not deleted yet, and no live ones", async () => {
    expiries.A.put(ended("a", { endedAt: NOW - 90 * DAY, expiresAt: NOW - 60 * DAY }));
    const { expiresAt: _, ...live } = ended("b");
    expiries.A.put(live);
    await setHold({ namespace: "shop" });
    await renew();
    expect(expiryOf("a")).toBe(NEVER);
    expect(expiries.A.jobs.get(jobUid("b"))).toBe(live);
  });

  it("keeps the pages of large Jobs, live ones included", async () => {
    expiries.A.put(ended("a", { state: LARGE }), { "00": NOW + 40 * DAY, "01": NOW + 45 * DAY });
    const { expiresAt: _, ...live } = ended("b", { state: LARGE });
    expiries.A.put(live, { "02": NOW + 55 * DAY });
    await setHold({ namespace: "shop" });
    await renew();
    const pages = () => ["a", "b"].map((uid) => [...(expiries.A.pages.get(jobUid(uid))?.values() ?? [])]);
    expect(pages()).toEqual([[NEVER, NEVER], [NEVER]]);
    await setHold({ namespace: "shop" }, at);
    await renew();
    expect(pages()).toEqual([[NOW + 27 * DAY, NOW + 27 * DAY], [NOW + 60 * DAY]]);
  });

  it("comes before other changes", async () => {
    await setRule(400);
    await setHold({ namespace: "shop" });
    expect((await renew()).map(({ kind }) => kind)).toEqual(["hold", "retention"]);
  });
});

describe("a stored run", () => {
  const RUN = "train-uid";
  const JOB = "train-worker-0";

  /** The run and the Job of a JobSet, as a projector writes them. */
  async function storeRun(): Promise<void> {
    const story = new Story(JOB);
    const owner = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", name: "train", uid: RUN };
    story.jobCreated({}, { namespace: "shop", owner });
    const ports = await runPortsWith(story.facts);
    const [state, run] = await Promise.all([
      ports.jobs.read({ cluster: east, jobUid: jobUid(JOB) }),
      ports.runs.read({ cluster: east, jobUid: jobUid(RUN) }),
    ]);
    expiries.A.put(ended(JOB, { state: state?.bytes ?? expect.fail() }));
    runs.A.put(ended(RUN, { name: "train", state: run?.row?.summary ?? expect.fail() }));
  }

  const expiryOfRun = () => runs.A.jobs.get(jobUid(RUN))?.expiresAt;

  it("follows the rule of its namespace", async () => {
    await storeRun();
    await setRule(400, "shop");
    await renew();
    expect([expiryOf(JOB), expiryOfRun()]).toEqual([NOW + 390 * DAY, NOW + 390 * DAY]);
  });

  it.each([
    ["a Job of it", { namespace: "shop", name: JOB }],
    ["its own name", { namespace: "shop", name: "train" }],
    ["its namespace", { namespace: "shop" }],
    ["its cluster", {}],
  ])("is kept by a hold on %s, until the hold is released", async (_, held) => {
    await storeRun();
    await setHold(held);
    await renew();
    expect(expiryOfRun()).toBe(NEVER);
    await setHold(held, at);
    await renew();
    expect(expiryOfRun()).toBe(NOW + 20 * DAY);
  });

  it("is kept by a hold on its Job where another rule changes", async () => {
    await storeRun();
    await setHold({ namespace: "shop", name: JOB });
    await setRule(400, "shop");
    await renew();
    expect([expiryOf(JOB), expiryOfRun()]).toEqual([NEVER, NEVER]);
  });

  it("that cannot be decoded keeps its expiry", async () => {
    runs.A.put(ended(RUN, { state: Uint8Array.of(9) }));
    await setHold({});
    await renew();
    expect(expiryOfRun()).toBe(NOW + 20 * DAY);
  });
});

describe("a run over many Jobs", () => {
  const uids = Array.from({ length: 450 }, (_, number) => `job-${String(number).padStart(3, "0")}`);

  it("that ends at any page is continued by the next one", async () => {
    for (const uid of uids) expiries.A.put(ended(uid, { namespace: Number(uid.slice(-1)) < 5 ? "bank" : "shop" }));
    await setRule(400);
    const begin = now;
    let runs = 0;
    for (let isDone = false; !isDone; runs += 1) {
      let pages = 0;
      const [change] = await renew(() => (pages += 1) <= 1);
      isDone = change !== undefined && roundsOf(change) === 1;
      expect(runs).toBeLessThan(20);
      now += 1_000;
    }
    expect(runs).toBeGreaterThan(4);
    expect(new Set(uids.map((uid) => expiryOf(uid)))).toEqual(new Set([NOW + 390 * DAY]));
    expect(expiries.A.writes).toBe(uids.length);
    const [change] = await readRetentionChanges({ meta, holds: [legalHolds] });
    expect(change?.progress?.value).toMatchObject({ seenAt: begin, jobs: uids.length, changed: uids.length });
  });

  it("begins again when its rule is changed meanwhile", async () => {
    for (const uid of uids) expiries.A.put(ended(uid));
    await setRule(400);
    let pages = 0;
    await renew(() => (pages += 1) <= 2);
    await setRule(500);
    await renew();
    expect(new Set(uids.map((uid) => expiryOf(uid)))).toEqual(new Set([NOW + 490 * DAY]));
  });

  it("leaves the change to another run that is further", async () => {
    for (const uid of uids) expiries.A.put(ended(uid));
    await setRule(400);
    const [one, other] = await Promise.all([renew(), renew()]);
    expect([...one, ...other].some((change) => roundsOf(change) === 1)).toBe(true);
    expect(new Set(uids.map((uid) => expiryOf(uid)))).toEqual(new Set([NOW + 390 * DAY]));
  });
});
