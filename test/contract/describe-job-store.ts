import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobRow, EncodedJobState, ListPosition, StoredJob } from "../../src/ports/job-row.ts";
import type { JobKey, JobPage, JobStore, ListOptions } from "../../src/ports/jobs.ts";
import { clusterNamed, jobUid } from "../support/facts/names.ts";

const east = clusterNamed("east");
const west = clusterNamed("west");
const MORNING = Date.UTC(2026, 10, 21, 8);

/** What every projection of Jobs does. `open` gives an empty one; `close` is called after each test. */
export function describeJobStore(
  name: string,
  open: () => Promise<JobStore>,
  close: () => Promise<void> = async () => {},
): void {
  describe(`${name}, a store of Jobs`, () => {
    let store: JobStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(close);

    describe("a state", () => {
      it("is absent until it is written", async () => {
        expect(await store.read(keyOf("a"))).toBeUndefined();
      });

      it("has version 1 after its first write", async () => {
        expect(await store.write(keyOf("a"), stateOf("a"), 0)).toEqual({ outcome: "written", version: 1 });
        expect(plain(await store.read(keyOf("a")))).toEqual(plain({ ...stateOf("a"), version: 1 }));
      });

      it("has one version more after each write", async () => {
        await store.write(keyOf("a"), stateOf("a"), 0);
        expect(await store.write(keyOf("a"), stateOf("a", { phase: "F", endedAt: MORNING + 1 }), 1)).toEqual({
          outcome: "written",
          version: 2,
        });
        const later = { bytes: Uint8Array.of(7), row: rowOf("a", { summary: Uint8Array.of(1) }) };
        expect(await store.write(keyOf("a"), later, 2)).toEqual({ outcome: "written", version: 3 });
        expect(plain(await store.read(keyOf("a")))).toEqual(plain({ ...later, version: 3 }));
      });

      it.each([
        ["exists and is expected to be new", 0],
        ["has a later version than expected", 1],
        ["has an earlier version than expected", 3],
      ])("is not overwritten if it %s", async (_, expected) => {
        await store.write(keyOf("a"), stateOf("a"), 0);
        await store.write(keyOf("a"), stateOf("a", { attention: true }), 1);
        expect(await store.write(keyOf("a"), { bytes: Uint8Array.of(9) }, expected)).toEqual({ outcome: "conflict" });
        expect(plain(await store.read(keyOf("a")))).toEqual(
          plain({ ...stateOf("a", { attention: true }), version: 2 }),
        );
      });

      it("is not created at an expected version above 0", async () => {
        expect(await store.write(keyOf("a"), stateOf("a"), 1)).toEqual({ outcome: "conflict" });
        expect(await store.read(keyOf("a"))).toBeUndefined();
      });

      it("is written by exactly one of several concurrent writers", async () => {
        const outcomes = await Promise.all([1, 2, 3].map(() => store.write(keyOf("a"), stateOf("a"), 0)));
        expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["conflict", "conflict", "written"]);
      });

      it("is independent of the same uid in another cluster", async () => {
        await store.write(keyOf("a"), stateOf("a"), 0);
        expect(await store.read({ ...keyOf("a"), cluster: west })).toBeUndefined();
      });

      it("can have 200 KiB", async () => {
        const state = { ...stateOf("a"), bytes: Uint8Array.from({ length: 204_800 }, (_, index) => index % 253) };
        await store.write(keyOf("a"), state, 0);
        expect(plain(await store.read(keyOf("a")))).toEqual(plain({ ...state, version: 1 }));
      });

      it("is in no list if it has no row", async () => {
        await store.write(keyOf("a"), { bytes: Uint8Array.of(1) }, 0);
        expect(plain(await store.read(keyOf("a")))).toEqual(plain({ bytes: Uint8Array.of(1), version: 1 }));
        expect(await everyList(store)).toEqual({ all: [], live: [], named: [], attention: [] });
      });
    });

    describe("the lists of Jobs", () => {
      it("have a Job where its latest row belongs only", async () => {
        await store.write(keyOf("a"), stateOf("a", { attention: true }), 0);
        expect(await everyList(store)).toEqual({ all: ["a"], live: ["a"], named: ["a"], attention: ["a"] });
        await store.write(keyOf("a"), stateOf("a", { phase: "F" }), 1);
        expect(await everyList(store)).toEqual({ all: ["a"], live: [], named: ["a"], attention: [] });
      });

      it("return the row and the uid", async () => {
        await store.write(keyOf("a"), stateOf("a"), 0);
        const { rows } = await store.list(BATCH, { limit: 10 });
        expect(rows.map(({ jobUid, ...row }) => ({ jobUid, ...plainRow(row) }))).toEqual([
          { ...plainRow(rowOf("a")), jobUid: keyOf("a").jobUid },
        ]);
      });

      it("keep namespaces, names and clusters apart", async () => {
        await store.write(keyOf("a"), stateOf("a"), 0);
        await store.write(keyOf("b"), stateOf("b", { namespace: "batch-2" }), 0);
        await store.write(keyOf("c"), stateOf("c", { name: "nightly-2" }), 0);
        await store.write({ ...keyOf("d"), cluster: west }, stateOf("d", { attention: true }), 0);
        expect(await everyList(store)).toEqual({ all: ["a", "c"], live: ["a", "c"], named: ["a"], attention: [] });
      });

      it("begin with the newest Job, and with the smaller uid within an instant", async () => {
        const ages: readonly [string, number][] = [
          ["b", 1],
          ["e", -3_600_000],
          ["a", 1],
          ["d", 0],
          ["c", 900],
        ];
        for (const [id, later] of ages) {
          await store.write(keyOf(id), stateOf(id, { createdAt: MORNING + later, attention: true }), 0);
        }
        const order = ["c", "a", "b", "d", "e"];
        expect(await everyList(store)).toEqual({ all: order, live: order, named: order, attention: order });
      });

      it("begin with the oldest Job if requested, and with the larger uid within an instant", async () => {
        for (const [id, later] of [
          ["b", 1],
          ["a", 1],
          ["d", 0],
          ["c", 900],
        ] as const) {
          await store.write(keyOf(id), stateOf(id, { createdAt: MORNING + later, attention: true }), 0);
        }
        for (const list of LISTS) {
          expect(idsOf(await ask(store, list, { limit: 100, order: "oldest" }))).toEqual(["d", "b", "a", "c"]);
        }
      });

      it("have Jobs of the year 0, of 1970 and of 9999 in order", async () => {
        const ages: readonly [string, number][] = [
          ["a", 0],
          ["b", 253_402_300_799_000],
          ["c", -62_167_219_200_000],
          ["d", -1],
        ];
        for (const [id, createdAt] of ages) await store.write(keyOf(id), stateOf(id, { createdAt }), 0);
        expect((await everyList(store)).all).toEqual(["b", "a", "d", "c"]);
        expect(idsOf(await store.list(BATCH, { limit: 9, order: "oldest" }))).toEqual(["c", "d", "a", "b"]);
      });

      it("continue after a Job of either phase", async () => {
        for (const [index, id] of ["a", "b", "c", "d", "e"].entries()) {
          const phase = index % 2 === 0 ? "A" : "F";
          await store.write(keyOf(id), stateOf(id, { createdAt: MORNING + index, phase }), 0);
        }
        const pages = await everyPage((options) => store.list(BATCH, options), 2);
        expect(pages).toEqual([["e", "d"], ["c", "b"], ["a"]]);
        const oldest = await everyPage((options) => store.list(BATCH, { ...options, order: "oldest" }), 2);
        expect(oldest).toEqual([["a", "b"], ["c", "d"], ["e"]]);
      });

      it.each(LISTS.flatMap((list) => [[list, "newest"] as const, [list, "oldest"] as const]))(
        "return each Job once, page by page: %s, %s first",
        async (list, order) => {
          const ids = ["a", "b", "c", "d", "e", "f", "g"];
          for (const [index, id] of ids.entries()) {
            await store.write(
              keyOf(id),
              stateOf(id, { createdAt: MORNING + Math.floor(index / 3), attention: true }),
              0,
            );
          }
          const pages = await everyPage((options) => ask(store, list, { ...options, order }), 2);
          expect(pages.every((page) => page.length <= 2)).toBe(true);
          const newest = ["g", "d", "e", "f", "a", "b", "c"];
          expect(pages.flat()).toEqual(order === "newest" ? newest : newest.toReversed());
        },
      );

      it.each(LISTS)("include the stored states on request: %s", async (list) => {
        await store.write(keyOf("a"), stateOf("a", { attention: true }), 0);
        await store.write(keyOf("a"), stateOf("a", { attention: true }), 1);
        const [plainRow] = (await ask(store, list, { limit: 1 })).rows;
        expect(plainRow).not.toHaveProperty("stored");
        const [row] = (await ask(store, list, { limit: 1, withStates: true })).rows;
        expect({ version: row?.stored?.version, bytes: [...(row?.stored?.bytes ?? [])] }).toEqual({
          version: 2,
          bytes: [...stateOf("a").bytes],
        });
      });

      it("continue after a position without a Job", async () => {
        for (const [index, id] of ["a", "b", "c"].entries()) {
          await store.write(keyOf(id), stateOf(id, { createdAt: MORNING + index * 10 }), 0);
        }
        const after = { createdAt: MORNING + 15, jobUid: keyOf("zz").jobUid };
        expect(idsOf(await store.list(BATCH, { after, limit: 10 }))).toEqual(["b", "a"]);
        expect(idsOf(await store.list(BATCH, { after, limit: 10, order: "oldest" }))).toEqual(["c"]);
      });
    });

    describe("the names of Jobs", () => {
      it("are sampled from both phases of one namespace", async () => {
        // The uid selects the partition of a Job, so a sample of one of four partitions has some of these.
        for (let n = 0; n < 40; n += 1) {
          const phase = n % 2 === 0 ? "A" : "F";
          await store.write(keyOf(`n${n}`), stateOf("n", { name: `job-${phase}`, phase }), 0);
        }
        await store.write(keyOf("other"), stateOf("o", { name: "other", namespace: "batch-2" }), 0);
        const names = await store.sampleNames({ cluster: east, namespace: "batch" }, 30);
        expect(new Set(names)).toEqual(new Set(["job-A", "job-F"]));
        expect(names.length).toBeLessThanOrEqual(60);
        expect(await store.sampleNames({ cluster: west, namespace: "batch" }, 30)).toEqual([]);
      });

      it("are found in other namespaces of the cluster, if the store can in one request", async () => {
        await store.write(keyOf("a"), stateOf("a"), 0);
        await store.write(keyOf("b"), stateOf("b", { namespace: "batch-2" }), 0);
        await store.write({ ...keyOf("c"), cluster: west }, stateOf("c", { namespace: "batch-3" }), 0);
        const query = { cluster: east, name: "nightly", namespaces: ["batch-2", "batch-3", "none"] };
        expect((await store.namespacesWithName?.(query)) ?? ["batch-2"]).toEqual(["batch-2"]);
      });
    });

    describe("a page of a large state", () => {
      const bytes = Uint8Array.from({ length: 4096 }, (_, index) => index % 256);
      const hash = createHash("sha256").update(bytes).digest("hex");

      it("is the same after a second write", async () => {
        await store.writePage(keyOf("a"), hash, bytes);
        await store.writePage(keyOf("a"), hash, bytes);
        expect(Buffer.from((await store.readPage(keyOf("a"), hash)) ?? []).equals(bytes)).toBe(true);
      });

      it("belongs to one Job", async () => {
        await store.writePage(keyOf("a"), hash, bytes);
        expect(await store.readPage(keyOf("b"), hash)).toBeUndefined();
        expect(await store.readPage({ ...keyOf("a"), cluster: west }, hash)).toBeUndefined();
        expect(await store.readPage(keyOf("a"), "0".repeat(64))).toBeUndefined();
      });

      it("is not a state", async () => {
        await store.writePage(keyOf("a"), hash, bytes);
        expect(await store.read(keyOf("a"))).toBeUndefined();
        expect((await store.write(keyOf("a"), stateOf("a"), 0)).outcome).toBe("written");
      });
    });
  });
}

function keyOf(id: string): JobKey {
  return { cluster: east, jobUid: jobUid(`0000-${id}`) };
}

function rowOf(id: string, changes: Partial<JobRow> = {}): JobRow {
  return {
    namespace: "batch",
    name: "nightly",
    createdAt: MORNING,
    phase: "A",
    attention: false,
    summary: Uint8Array.of(1, 0, 255, id.charCodeAt(0)),
    ...changes,
  };
}

function stateOf(id: string, changes: Partial<JobRow> = {}): EncodedJobState {
  return { bytes: Uint8Array.of(2, 0, 255, id.charCodeAt(0)), row: rowOf(id, changes) };
}

const BATCH = { cluster: east, namespace: "batch" };

const LISTS = ["list", "listByName", "listAttention"] as const;

function ask(store: JobStore, list: (typeof LISTS)[number], options: ListOptions): Promise<JobPage> {
  switch (list) {
    case "list":
      return store.list(BATCH, options);
    case "listByName":
      return store.listByName({ cluster: east, namespace: "batch", name: "nightly" }, options);
    case "listAttention":
      return store.listAttention({ cluster: east }, options);
  }
}

/** Index entries may follow a write late elsewhere; here as there, what was written is found when asked again. */
async function everyList(store: JobStore): Promise<Readonly<Record<string, readonly string[]>>> {
  return {
    all: idsOf(await store.list(BATCH, { limit: 100 })),
    live: await liveOf(store),
    named: idsOf(await ask(store, "listByName", { limit: 100 })),
    attention: idsOf(await ask(store, "listAttention", { limit: 100 })),
  };
}

/** The live Jobs of a namespace. A store with wide lists has long-lived ones there, and those of the test are old. */
async function liveOf(store: JobStore): Promise<readonly string[]> {
  if (store.wide === undefined) return idsOf(await store.listLive(BATCH, { limit: 100 }));
  const { rows } = await store.wide.list(store.wide.partitions(["A", "B"]), { limit: 100 });
  return idsOf({ rows: rows.filter(({ cluster, namespace }) => cluster === east && namespace === "batch") });
}

async function everyPage(
  read: (options: ListOptions) => Promise<JobPage>,
  limit: number,
): Promise<readonly string[][]> {
  const pages: string[][] = [];
  let after: ListPosition | undefined;
  do {
    const page = await read({ limit, ...(after && { after }) });
    pages.push([...idsOf(page)]);
    after = page.next;
  } while (after !== undefined);
  return pages;
}

function idsOf({ rows }: JobPage): readonly string[] {
  return rows.map(({ jobUid }) => jobUid.slice("0000-".length));
}

/** Bytes as text: a Buffer and a Uint8Array of the same bytes are the same. */
function plain(stored: StoredJob | undefined) {
  if (stored === undefined) return undefined;
  const { row, ...rest } = stored;
  return { ...rest, bytes: Buffer.from(stored.bytes).toString("base64"), ...(row && { row: plainRow(row) }) };
}

function plainRow(row: JobRow) {
  return { ...row, summary: Buffer.from(row.summary).toString("base64") };
}
