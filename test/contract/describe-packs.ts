import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { packSegments } from "../../src/log/pack-segments.ts";
import type { Log, LogItem, LogPack, PackedLog } from "../../src/ports/log.ts";
import { packSortKey } from "../../src/segment/pack-key.ts";
import { numberedSegment } from "../support/stores/sealed-segments.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = { shard: 0, hour: "2026112112" };

/** What every log with packs does. `open` gives an empty one; `close` is called after each test. */
export function describePacks(
  name: string,
  open: () => Promise<Log>,
  close: () => Promise<void> = async () => {},
): void {
  describe(`${name}, a log of packs`, () => {
    let log: Log;
    let packs: PackedLog;
    beforeEach(async () => {
      log = await open();
      if (log.packs === undefined) throw new Error("The log has no packs.");
      ({ packs } = log);
    });
    afterEach(close);

    it("returns the segments of a pack as they were appended, each by its own key", async () => {
      const pack = packAt(NOON, [1, 2, 3]);
      await packs.append(pack);
      expect(await skOf(packs)).toEqual([pack.sk]);
      for (const item of pack.items) expect(plain(await log.read(item.key))).toEqual(plain(item));
    });

    it("finds a segment only in the pack that its key names", async () => {
      const [item] = packAt(NOON, [1]).items;
      if (item === undefined) throw new Error("The pack is empty.");
      await packs.append(packAt(NOON, [2]));
      await packs.append(packAt(NOON + 1, [1]));
      expect(await log.read(item.key)).toBeUndefined();
      const { pack: _, ...single } = item.key;
      expect(await log.read(single)).toBeUndefined();
    });

    it("finds a segment among several packs of one instant", async () => {
      const [first, second] = [packAt(NOON, [1]), packAt(NOON, [2, 3])];
      for (const pack of [first, second]) await packs.append(pack);
      for (const item of [...first.items, ...second.items]) {
        expect(plain(await log.read(item.key))).toEqual(plain(item));
      }
    });

    it("has a pack once that is appended twice", async () => {
      const pack = packAt(NOON, [1, 2]);
      for (let time = 0; time < 2; time += 1) await packs.append(pack);
      expect(await skOf(packs)).toEqual([pack.sk]);
    });

    it("keeps both copies of a segment that arrived twice, at their places", async () => {
      const copies = [packAt(NOON, [1, 2]), packAt(NOON + 5, [2, 3])];
      for (const pack of copies) await packs.append(pack);
      const [first, second] = copies.flatMap(({ items }) => items.filter(({ factCount }) => factCount === 2));
      expect(plain(first && (await log.read(first.key)))).toEqual(plain(first));
      expect(plain(second && (await log.read(second.key)))).toEqual(plain(second));
    });

    it("reads an hour in order of arrival, page by page, each pack once", async () => {
      const all = [5, 1, 3, 2, 4].map((number) => packAt(NOON + number, [number]));
      for (const pack of all) await packs.append(pack);
      const read: string[] = [];
      let after: string | undefined;
      do {
        const page = await packs.readHour(HOUR, { limit: 2, ...(after !== undefined && { after }) });
        expect(page.packs.length).toBeLessThanOrEqual(2);
        read.push(...page.packs.map(({ sk }) => sk));
        after = page.next;
      } while (after !== undefined);
      expect(read).toEqual(all.map(({ sk }) => sk).sort());
    });

    it("reads the beginning of an hour up to a time", async () => {
      const all = [1, 2, 3, 4, 5].map((number) => packAt(NOON + number, [number]));
      for (const pack of all) await packs.append(pack);
      const before = packSortKey(NOON + 4, "");
      const { packs: read } = await packs.readHour(HOUR, { before, limit: 9 });
      expect(read.map(({ sk }) => sk)).toEqual(all.slice(0, 3).map(({ sk }) => sk));
    });

    it("has nothing in a part that ends before it begins", async () => {
      await packs.append(packAt(NOON + 2, [1]));
      const range = { after: packSortKey(NOON + 3, ""), before: packSortKey(NOON + 1, "") };
      expect(await packs.readHour(HOUR, { ...range, limit: 9 })).toEqual({ packs: [] });
    });

    it("reads a part of an hour, without its bounds", async () => {
      const [first, second, third] = [1, 2, 3].map((number) => packAt(NOON + number, [number]));
      for (const pack of [first, second, third]) if (pack !== undefined) await packs.append(pack);
      const range = { after: first?.sk ?? "", before: packSortKey(NOON + 3, "") };
      const { packs: read } = await packs.readHour(HOUR, { ...range, limit: 9, isEventual: true });
      expect(read.map(({ sk }) => sk)).toEqual([second?.sk]);
    });

    it("keeps hours and shards apart", async () => {
      const [here, later] = [packAt(NOON, [1]), packAt(NOON + 3_600_000, [2])];
      await packs.append(here);
      await packs.append(later);
      await packs.append({ ...here, hour: { ...HOUR, shard: 1 } });
      expect(await skOf(packs)).toEqual([here.sk]);
      expect((await packs.readHour({ shard: 1, hour: "2026112113" }, { limit: 9 })).packs).toEqual([]);
    });
  });
}

function packAt(arrivedAt: number, numbers: readonly number[]): LogPack {
  const items = numbers.map((number) => ({ ...numberedSegment(number), factCount: number }));
  const [pack] = packSegments<LogItem>(items, { arrivedAt, shards: 1 });
  if (pack === undefined) throw new Error("There is nothing to pack.");
  return pack;
}

async function skOf(packs: PackedLog): Promise<readonly string[]> {
  const { packs: read } = await packs.readHour(HOUR, { limit: 100 });
  return read.map(({ sk }) => sk);
}

/** Bytes as text: a Buffer and a Uint8Array of the same bytes are the same. */
function plain(item: LogItem | undefined) {
  return item && { ...item, bytes: Buffer.from(item.bytes).toString("base64") };
}
