import { describe, expect, it } from "vitest";
import { removedRecord } from "../../../src/ports/records/removed-record.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { logBegins } from "../../../src/upkeep/replay/log-begins.ts";
import { MemoryPackedLog } from "../../support/stores/memory-packs.ts";
import { twoProjections } from "../../support/stores/two-projections.ts";

const BEGIN = { since: -Infinity, gapsBefore: -Infinity, hintsBefore: -Infinity };

describe("the begin of a log", () => {
  it("is before every instant if nothing was deleted", async () => {
    expect((await logBegins(twoProjections()))("east")).toEqual(BEGIN);
  });

  it("is where retention has deleted the log before", async () => {
    const all = twoProjections();
    const value = { logBefore: 1_000, recordsBefore: 2_000 };
    await writeRecord(all.meta, removedRecord, { key: "east#", value, expected: 0 });
    const begins = await logBegins(all);
    expect(begins("east")).toEqual({ since: 1_000, gapsBefore: 2_000, hintsBefore: 2_000 });
    expect(begins("west")).toEqual(BEGIN);
  });

  it("is another one for hints where an archive keeps the gaps", async () => {
    const all = twoProjections();
    await writeRecord(all.meta, removedRecord, { key: "east#", value: { hintsBefore: 2_000 }, expected: 0 });
    expect((await logBegins(all))("east")).toEqual({ ...BEGIN, hintsBefore: 2_000 });
  });

  it("is three days after the first record of a log whose items expire by themselves", async () => {
    const all = twoProjections();
    await all.meta.write("logHour", "2026112110#03", { value: "{}", expected: 0 });
    const { since } = (await logBegins({ ...all, log: new MemoryPackedLog() }))("east");
    expect(since).toBe(Date.UTC(2026, 10, 24, 10));
  });
});
