import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EncodedJobState, JobRow, ListPosition } from "../../src/ports/job-row.ts";
import type { JobKey, RunStore } from "../../src/ports/jobs.ts";
import { clusterNamed, jobUid } from "../support/facts/names.ts";

const east = clusterNamed("east");
const west = clusterNamed("west");
const MORNING = Date.UTC(2026, 10, 21, 8);
const ID = "dagster/run-id=5f1a";

/** What every projection of runs does. `open` gives an empty one; `close` is called after each test. */
export function describeRunStore(
  name: string,
  open: () => Promise<RunStore>,
  close: () => Promise<void> = async () => {},
): void {
  describe(`${name}, a store of runs`, () => {
    let store: RunStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(close);

    const write = async (key: JobKey, changes: Partial<JobRow> = {}, expected = 0) =>
      store.write(key, stateOf(changes), expected);
    const known = async (id = ID, limit = 10) =>
      (await store.listByExternalId(id, limit)).map(({ cluster, jobUid: uid }) => `${cluster}/${uid}`);

    it("has what was written, with its version", async () => {
      expect(await store.read(keyOf("a"))).toBeUndefined();
      expect(await write(keyOf("a"))).toEqual({ outcome: "written", version: 1 });
      expect(await write(keyOf("a"), {}, 0)).toEqual({ outcome: "conflict" });
      expect(await write(keyOf("a"), { phase: "F", endedAt: MORNING + 1 }, 1)).toMatchObject({ version: 2 });
      const stored = await store.read(keyOf("a"));
      expect([stored?.version, [...(stored?.bytes ?? [])]]).toEqual([2, [7]]);
      expect(stored?.row).toMatchObject({ namespace: "ml", name: "train", phase: "F", endedAt: MORNING + 1 });
    });

    it("lists runs by namespace, by name and by failure, the newest first, in pages", async () => {
      await write(keyOf("a"), { attention: true });
      await write(keyOf("b"), { createdAt: MORNING + 10 });
      await write(keyOf("c"), { namespace: "data", createdAt: MORNING + 20 });
      const place = { cluster: east, namespace: "ml" };
      const first = await store.list(place, { limit: 1 });
      expect(first.rows.map(({ jobUid: uid }) => uid)).toEqual(["b"]);
      const after: ListPosition | undefined = first.next;
      expect(after).toBeDefined();
      const rest = await store.list(place, { limit: 5, ...(after && { after }) });
      expect(rest.rows.map(({ jobUid: uid }) => uid)).toEqual(["a"]);
      const named = await store.listByName({ ...place, name: "train" }, { limit: 5 });
      expect(named.rows.map(({ jobUid: uid }) => uid)).toEqual(["b", "a"]);
      const failed = await store.listAttention({ cluster: east }, { limit: 5 });
      expect(failed.rows.map(({ jobUid: uid }) => uid)).toEqual(["a"]);
    });

    it("finds the runs of all clusters by the id of another system, the newest first", async () => {
      await write(keyOf("a"), { externalId: ID });
      await write({ ...keyOf("b"), cluster: west }, { externalId: ID, createdAt: MORNING + 10 });
      await write(keyOf("c"), { externalId: "dagster/run-id=other" });
      await write(keyOf("d"));
      expect(await known()).toEqual(["west/b", "east/a"]);
      expect(await known(ID, 1)).toEqual(["west/b"]);
      expect(await known("dagster/run-id=5f1")).toEqual([]);
      const [found] = await store.listByExternalId(ID, 1);
      expect(found).toMatchObject({ namespace: "ml", name: "train", createdAt: MORNING + 10 });
      expect([...(found?.summary ?? [])]).toEqual([1]);
    });

    it("finds a run no longer by an id that it does not have any more", async () => {
      await write(keyOf("a"), { externalId: ID });
      await write(keyOf("a"), {}, 1);
      expect(await known()).toEqual([]);
      await write(keyOf("a"), { externalId: ID }, 2);
      expect(await known()).toEqual(["east/a"]);
    });
  });
}

function keyOf(uid: string): JobKey {
  return { cluster: east, jobUid: jobUid(uid) };
}

function stateOf(changes: Partial<JobRow>): EncodedJobState {
  const row: JobRow = {
    namespace: "ml",
    name: "train",
    createdAt: MORNING,
    phase: "A",
    attention: false,
    summary: Uint8Array.of(1),
    ...changes,
  };
  return { bytes: Uint8Array.of(7), row };
}
