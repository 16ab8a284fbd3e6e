import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Log, LogItem, LogKey } from "../../src/ports/log.ts";
import { clusterNamed } from "../support/facts/names.ts";

/** What every log does. `open` gives an empty one; `close` is called after each test. */
export function describeLog(name: string, open: () => Promise<Log>, close: () => Promise<void> = async () => {}): void {
  const east = clusterNamed("east");
  const day = { cluster: east, day: "20261121" };

  describe(`${name}, a log`, () => {
    let log: Log;
    beforeEach(async () => {
      log = await open();
    });
    afterEach(close);

    it("returns an appended item", async () => {
      const item = itemAt(1);
      expect(await log.append(item)).toEqual({ outcome: "appended" });
      expect(plain(await log.read(item.key))).toEqual(plain(item));
    });

    it("has no item under an unknown key", async () => {
      await log.append(itemAt(1));
      expect(await log.read(itemAt(2).key)).toBeUndefined();
      expect(await log.read({ pk: "west#20261121", sk: itemAt(1).key.sk })).toBeUndefined();
    });

    it("stores 64 KiB of any bytes", async () => {
      const bytes = Uint8Array.from({ length: 65_536 }, (_, index) => index % 251);
      await log.append(itemAt(1, bytes));
      expect(plain(await log.read(itemAt(1).key))?.bytes).toBe(Buffer.from(bytes).toString("base64"));
    });

    it("reports the same facts as a duplicate in any compression", async () => {
      const item = itemAt(1);
      await log.append(item);
      expect(await log.append(item)).toEqual({ outcome: "duplicate" });
      expect(await log.append({ ...item, bytes: Uint8Array.of(1, 9, 9) })).toEqual({ outcome: "duplicate" });
      expect(plain(await log.read(item.key))).toEqual(plain(item));
    });

    it("never changes an item: different content under its key is a conflict", async () => {
      const item = itemAt(1);
      await log.append(item);
      const other = { ...itemAt(1, Uint8Array.of(2, 2)), sha256: "f".repeat(64) };
      expect(await log.append(other)).toEqual({ outcome: "conflict", storedSha256: item.sha256 });
      expect(plain(await log.read(item.key))).toEqual(plain(item));
    });

    it("appends exactly one of several concurrent items with the same key", async () => {
      const outcomes = await Promise.all([itemAt(1), itemAt(1), itemAt(1)].map((item) => log.append(item)));
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["appended", "duplicate", "duplicate"]);
    });

    it("reads a day in order of key, for any order of the appends", async () => {
      for (const number of [3, 1, 5, 2, 4]) await log.append(itemAt(number));
      const page = await log.readDay(day, { limit: 10 });
      expect(page.items.map(plain)).toEqual([1, 2, 3, 4, 5].map((number) => plain(itemAt(number))));
      expect(page.next).toBeUndefined();
    });

    it("reads a day page by page, each item once", async () => {
      for (const number of [1, 2, 3, 4, 5]) await log.append(itemAt(number));
      const read: string[] = [];
      let after: LogKey | undefined;
      do {
        const page = await log.readDay(day, { limit: 2, ...(after && { after }) });
        expect(page.items.length).toBeLessThanOrEqual(2);
        read.push(...page.items.map(({ key }) => key.sk));
        after = page.next;
      } while (after !== undefined);
      expect(read).toEqual([1, 2, 3, 4, 5].map((number) => itemAt(number).key.sk));
    });

    it("keeps days and clusters apart", async () => {
      await log.append(itemAt(1));
      await log.append({ ...itemAt(2), key: { pk: "east#20261122", sk: "2026-11-22T00:00:00.000Z#s#1" } });
      await log.append({ ...itemAt(3), key: { pk: "east-2#20261121", sk: itemAt(3).key.sk } });
      expect((await log.readDay(day, { limit: 10 })).items.map(({ key }) => key)).toEqual([itemAt(1).key]);
      expect((await log.readDay({ cluster: east, day: "20261123" }, { limit: 10 })).items).toEqual([]);
    });
  });
}

function itemAt(number: number, bytes: Uint8Array = Uint8Array.of(2, number, 0, 255)): LogItem {
  return {
    key: { pk: "east#20261121", sk: `2026-11-21T08:24:4${number}.000Z#00c0ffee00c0ffee#000000000${number}` },
    bytes,
    sha256: createHash("sha256").update(`content ${number}`).digest("hex"),
    factCount: number * 10,
  };
}

/** Bytes as text: a Buffer and a Uint8Array of the same bytes are the same. */
function plain(item: LogItem | undefined) {
  return item && { ...item, bytes: Buffer.from(item.bytes).toString("base64") };
}
