import { describe, expect, it } from "vitest";
import { readMetricsRecord, writeMetricsRecord } from "../../../../src/count/metrics/sums/metrics-record.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";

describe("the record of what metrics are shown", () => {
  it("is written by the first of two writers", async () => {
    const meta = new MemoryMetaStore();
    expect(await readMetricsRecord(meta)).toBeUndefined();
    expect(await writeMetricsRecord(meta, { of: "A" }, 0)).toBe(true);
    expect(await writeMetricsRecord(meta, { of: "B" }, 0)).toBe(false);
    expect(await readMetricsRecord(meta)).toEqual({ value: { of: "A" }, version: 1 });
  });
});
