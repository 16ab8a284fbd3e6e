import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MetaStore } from "../../src/ports/meta.ts";

/** What every store of small records does. `open` gives an empty one; `close` is called after each test. */
export function describeMetaStore(
  name: string,
  open: () => Promise<MetaStore>,
  close: () => Promise<void> = async () => {},
): void {
  describe(`${name}, a store of small records`, () => {
    let store: MetaStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(close);

    it("has no record under an unknown key", async () => {
      expect(await store.read("gap", "east#1")).toBeUndefined();
    });

    it("returns a written record at version 1", async () => {
      const value = JSON.stringify({ said: "„Übergrößenträger“ \u{1F600}" });
      expect(await store.write("gap", "east#1", { value, expected: 0 })).toEqual({ outcome: "written", version: 1 });
      expect(await store.read("gap", "east#1")).toEqual({ key: "east#1", value, version: 1 });
    });

    it("returns compressed bytes in base64 as they were written, alone and in a list", async () => {
      const value = `{"packed":"${Buffer.from([0, 1, 254, 255]).toString("base64")}"}`;
      await store.write("changes", "0#1", { value, expected: 0 });
      expect(await store.read("changes", "0#1")).toEqual({ key: "0#1", value, version: 1 });
      expect((await store.list("changes", { prefix: "0#", limit: 9 })).records).toMatchObject([{ value }]);
    });

    it("raises the version by one with each write", async () => {
      await store.write("node", "east#n1", { value: "1", expected: 0 });
      expect(await store.write("node", "east#n1", { value: "2", expected: 1 })).toEqual({
        outcome: "written",
        version: 2,
      });
      expect(await store.read("node", "east#n1")).toEqual({ key: "east#n1", value: "2", version: 2 });
    });

    it.each([
      ["that exists and is expected to be new", 0],
      ["with a later version than expected", 1],
      ["with an earlier version than expected", 9],
    ])("reports a conflict for a record %s", async (_, expected) => {
      await store.write("node", "east#n1", { value: "1", expected: 0 });
      await store.write("node", "east#n1", { value: "2", expected: 1 });
      expect(await store.write("node", "east#n1", { value: "3", expected })).toEqual({ outcome: "conflict" });
      expect(await store.read("node", "east#n1")).toEqual({ key: "east#n1", value: "2", version: 2 });
    });

    it("reports a conflict if a missing record is expected to exist", async () => {
      expect(await store.write("node", "east#n1", { value: "1", expected: 4 })).toEqual({ outcome: "conflict" });
      expect(await store.read("node", "east#n1")).toBeUndefined();
    });

    it("accepts exactly one of several concurrent writes", async () => {
      const outcomes = await Promise.all(
        ["1", "2", "3"].map((value) => store.write("live", "jobs", { value, expected: 0 })),
      );
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["conflict", "conflict", "written"]);
    });

    it("keeps kinds apart", async () => {
      await store.write("node", "east#1", { value: "node", expected: 0 });
      expect(await store.read("gap", "east#1")).toBeUndefined();
      await store.write("gap", "east#1", { value: "gap", expected: 0 });
      expect((await store.list("node", { prefix: "east#", limit: 9 })).records.map(({ value }) => value)).toEqual([
        "node",
      ]);
    });

    it("lists the records whose keys begin with a prefix, in the order of their UTF-8 bytes", async () => {
      const keys = [
        "east#b",
        "east#",
        "east-2#a",
        "east",
        "west#a",
        "east#\u{1F600}",
        "east#\uFF5E",
        "east#ä",
        "east#a",
        "east#B",
      ];
      for (const key of keys) await store.write("namespace", key, { value: "{}", expected: 0 });
      const page = await store.list("namespace", { prefix: "east#", limit: 100 });
      expect(page.records.map(({ key }) => key)).toEqual([
        "east#",
        "east#B",
        "east#a",
        "east#b",
        "east#ä",
        "east#\uFF5E",
        "east#\u{1F600}",
      ]);
      expect(page.next).toBeUndefined();
    });

    it("lists acknowledgements of one cluster, or of all", async () => {
      await store.write("acknowledgement", "east#a#1", { value: "{}", expected: 0 });
      await store.write("acknowledgement", "west#a#2", { value: "{}", expected: 0 });
      const all = await store.list("acknowledgement", { prefix: "", limit: 9 });
      expect(all.records.map(({ key }) => key)).toEqual(["east#a#1", "west#a#2"]);
      const west = await store.list("acknowledgement", { prefix: "west#", limit: 9 });
      expect(west.records.map(({ key }) => key)).toEqual(["west#a#2"]);
    });

    it("lists page by page, each record once", async () => {
      for (const letter of "gacebdf") await store.write("gap", `east#${letter}`, { value: letter, expected: 0 });
      const read: string[] = [];
      let after: string | undefined;
      do {
        const page = await store.list("gap", { prefix: "east#", limit: 3, ...(after !== undefined && { after }) });
        expect(page.records.length).toBeLessThanOrEqual(3);
        read.push(...page.records.map(({ value }) => value));
        after = page.next;
      } while (after !== undefined);
      expect(read.join("")).toBe("abcdefg");
    });

    it.each([
      ["before the prefix", "east", "abc"],
      ["without a record", "east#aa", "bc"],
      ["of the last record", "east#c", ""],
    ])("continues after a key %s", async (_, after, expected) => {
      for (const letter of "abc") await store.write("gap", `east#${letter}`, { value: letter, expected: 0 });
      const { records } = await store.list("gap", { prefix: "east#", after, limit: 9 });
      expect(records.map(({ value }) => value).join("")).toBe(expected);
    });

    it("stores a value of 200 KiB", async () => {
      const value = JSON.stringify("x".repeat(204_800));
      await store.write("setAside", "0", { value, expected: 0 });
      expect((await store.read("setAside", "0"))?.value).toBe(value);
    });
  });
}
