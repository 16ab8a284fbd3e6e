import { describe, expect, it } from "vitest";
import { unitKey } from "../../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../../src/ports/records/record-codec.ts";
import { type UnitRecord, unitRecord } from "../../../../src/ports/records/replay/unit-record.ts";
import { unitProgress } from "../../../../src/upkeep/replay/units/unit-progress.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";

const RECORD: UnitRecord = { run: 2, segments: 3, facts: 40, failed: [], isDone: true, heldUntil: 0 };

describe("the progress of a replay", () => {
  it("is that of its own units: what they have read, failed and spread, and which are done", async () => {
    const meta = new MemoryMetaStore();
    const failed = [{ pk: "east#20261121", sk: "a" }];
    const refused = [{ job: "east#x", reason: "It is damaged." }];
    const units: Readonly<Record<string, UnitRecord>> = {
      a: { ...RECORD, spread: ["log 0 x", "log 1 y"] },
      b: { ...RECORD, isDone: false, heldUntil: 7, failed, refused },
      c: { ...RECORD, run: 1, spread: ["log 0 z"] },
    };
    for (const [id, value] of Object.entries(units)) {
      await writeRecord(meta, unitRecord, { key: unitKey(id), value, expected: 0 });
    }
    expect(await unitProgress(meta, 2)).toEqual({
      done: new Set(["a"]),
      segments: 6,
      facts: 80,
      failed,
      refused,
      spread: ["log 0 x", "log 1 y"],
      isBroken: false,
      heldUntil: 7,
    });
  });
});
