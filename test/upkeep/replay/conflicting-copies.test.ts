import { describe, expect, it } from "vitest";
import type { LogItem, LogKey } from "../../../src/ports/log.ts";
import { conflictingCopies } from "../../../src/upkeep/replay/conflicting-copies.ts";

const keyAt = (arrivedAt: number): LogKey => ({ pk: "east#20261121", sk: "a", pack: { shard: 1, arrivedAt } });

/** A log in which the copies that arrived at these instants have these hashes. */
function logOf(hashes: Readonly<Record<number, string>>) {
  return {
    read: async (key: LogKey): Promise<LogItem | undefined> => {
      const sha256 = hashes[key.pack?.arrivedAt ?? 0];
      return sha256 === undefined ? undefined : { key, sha256, bytes: Buffer.of(), factCount: 1 };
    },
  };
}

const copies = [{ first: keyAt(1), key: keyAt(2) }];

describe("two copies of a segment", () => {
  it("are no conflict if their content is the same", async () => {
    expect(await conflictingCopies(logOf({ 1: "a", 2: "a" }), copies)).toEqual([]);
  });

  it("are a conflict, with both hashes, if their content is not", async () => {
    expect(await conflictingCopies(logOf({ 1: "a", 2: "b" }), copies)).toEqual([
      { first: keyAt(1), key: keyAt(2), reason: "Its hash is b. The segment that arrived first has a." },
    ]);
  });

  it.each([
    ["first", { 2: "b" }],
    ["later", { 1: "a" }],
  ])("cannot be compared if the %s one has expired", async (_, hashes) => {
    expect(await conflictingCopies(logOf(hashes), copies)).toEqual([]);
  });
});
