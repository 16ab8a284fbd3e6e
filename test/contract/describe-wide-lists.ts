import { beforeEach, describe, expect, it } from "vitest";
import type { JobRow } from "../../src/ports/job-row.ts";
import type { JobStore } from "../../src/ports/jobs.ts";
import type { WideClass, WideLists, WidePosition } from "../../src/ports/wide-lists.ts";
import { clusterNamed, jobUid } from "../support/facts/names.ts";

const NOW = Date.UTC(2026, 10, 22, 12);
const MINUTE = 60_000;
const MEASURES = { owner: "", findings: "", podsSeen: 1, podsSucceeded: 0, podsFailed: 1 } as const;
const NO_RERUNS = { needlessRuns: 0, needlessMillis: 0 };

/** What the lists of all clusters do. `open` gives an empty store whose clock shows {@link NOW}. */
export function describeWideLists(name: string, open: (now: () => number) => Promise<JobStore>): void {
  describe(`${name}, lists of all clusters`, () => {
    let store: JobStore;
    let wide: WideLists;
    let now = NOW;
    beforeEach(async () => {
      now = NOW;
      store = await open(() => now);
      if (store.wide === undefined) throw new Error("The store has no wide lists.");
      wide = store.wide;
    });

    const write = (cluster: string, uid: string, changes: Partial<JobRow>, expected = 0) => {
      const row = { namespace: "batch", name: "n", createdAt: NOW, phase: "A", attention: false } as const;
      const summary = Uint8Array.of(1);
      const state = { bytes: summary, row: { ...row, summary, ...changes } };
      return store.write({ cluster: clusterNamed(cluster), jobUid: jobUid(uid) }, state, expected);
    };
    const idsOf = async (classes: readonly WideClass[], order: "newest" | "oldest" = "newest", limit = 2) => {
      const ids: string[] = [];
      let after: WidePosition | undefined;
      do {
        const page = await wide.list(wide.partitions(classes), { after, limit, order });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        ids.push(...page.rows.map(({ cluster, jobUid: uid }) => `${cluster}/${uid}`));
        after = page.next;
      } while (after !== undefined);
      return ids;
    };

    it.each<[string, WideClass, Partial<JobRow>]>([
      ["a young Job", "O", { createdAt: NOW - 4 * MINUTE }],
      ["a young Job that needs attention", "T", { createdAt: NOW - MINUTE, attention: true }],
      ["a long-lived Job", "A", { createdAt: NOW - 4 * MINUTE - 1 }],
      ["a long-lived Job that needs attention", "B", { createdAt: NOW - 5 * MINUTE, attention: true }],
      ["a finished Job of any age", "O", { createdAt: NOW - 5 * MINUTE, phase: "F", endedAt: NOW }],
      ["a finished Job that needs attention", "T", { createdAt: 0, phase: "F", attention: true }],
      ["a failed Job", "T", { phase: "F", measures: { ...MEASURES, ...NO_RERUNS, state: "Failed" } }],
    ])("have %s in class %s only", async (_, wideClass, changes) => {
      await write("east", "a", changes);
      for (const one of ["O", "T", "A", "B"] as const) {
        expect(await idsOf([one])).toEqual(one === wideClass ? ["east/a"] : []);
      }
    });

    it("move a Job when it is written as long-lived, and when it ends", async () => {
      await write("east", "a", {});
      now += 5 * MINUTE;
      expect(await idsOf(["O"])).toEqual(["east/a"]);
      await write("east", "a", {}, 1);
      expect([await idsOf(["O"]), await idsOf(["A"])]).toEqual([[], ["east/a"]]);
      await write("east", "a", { phase: "F", endedAt: now }, 2);
      expect([await idsOf(["O"]), await idsOf(["A"])]).toEqual([["east/a"], []]);
    });

    it("have a Job once, whether or not its writer passes on what it has read", async () => {
      await Promise.all([write("east", "a", {}), write("east", "b", {})]);
      const key = { cluster: clusterNamed("east"), jobUid: jobUid("a") };
      const { version = 0, ...stored } = (await store.read(key)) ?? { bytes: Uint8Array.of(1) };
      expect(await store.write(key, stored, version)).toMatchObject({ outcome: "written" });
      await write("east", "b", { phase: "F", endedAt: NOW }, 1);
      expect(await idsOf(["O"], "newest", 1)).toEqual(["east/a", "east/b"]);
      expect(await idsOf(["O", "T", "A", "B"], "oldest")).toEqual(["east/b", "east/a"]);
    });

    it.each([1, 2, 3, 100])("have each Job once, in order, in pages of %i", async (limit) => {
      const classes: readonly Partial<JobRow>[] = [{ phase: "F" }, { attention: true }, {}, { createdAt: 0 }];
      for (let n = 0; n < 12; n += 1) {
        await write(n % 3 === 0 ? "west" : "east", `u${n}`, { createdAt: NOW - Math.floor(n / 4), ...classes[n % 4] });
      }
      // Two clusters that were restored from one backup have Jobs of one uid.
      for (const cluster of ["b", "a", "c", "a-b"]) await write(cluster, "same", { createdAt: NOW - 1 });
      const all = await idsOf(["O", "T", "A", "B"], "newest", limit);
      expect(new Set(all).size).toBe(16);
      expect(all).toHaveLength(16);
      expect(all.filter((id) => id.endsWith("/same"))).toEqual(["a/same", "a-b/same", "b/same", "c/same"]);
      expect(all.slice(-3).toSorted()).toEqual(["east/u11", "east/u7", "west/u3"]);
      expect(await idsOf(["O", "T", "A", "B"], "oldest", limit)).toEqual(all.toReversed());
    });

    it("return the row and its class", async () => {
      await write("east", "a", { attention: true });
      const { rows } = await wide.list(wide.partitions(["T"]), { limit: 9 });
      expect(rows).toMatchObject([
        { cluster: "east", jobUid: "a", namespace: "batch", name: "n", phase: "A", attention: true, wideClass: "T" },
      ]);
    });

    it("have a record of what they contain, which is written with its version", async () => {
      expect(await wide.readCoverage()).toBeUndefined();
      const coverage = { since: -62_167_219_200_000, sweptTo: NOW, isConverted: true };
      expect(await wide.writeCoverage(coverage, 0)).toBe("written");
      expect(await wide.writeCoverage(coverage, 0)).toBe("conflict");
      expect(await wide.readCoverage()).toEqual({ ...coverage, version: 1 });
    });
  });
}
