import { describe, expect, it } from "vitest";
import {
  checkAcknowledgements,
  checkFreshness,
  checkSetAside,
  checkSenders,
} from "../../../cli/doctor/check-records.ts";
import { createAcknowledgementWriter } from "../../../src/query/attention/acknowledge.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../../support/aws/memory-registrations.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const OBSERVED = { kind: "ClusterObserved", epoch: 0, resourceVersion: 1, serverVersion: "v1.36.3" };

async function metaWith(records: readonly (readonly ["cluster" | "setAside" | "setAsideHour", string, unknown])[]) {
  const meta = new MemoryMetaStore();
  for (const [kind, key, value] of records) await meta.write(kind, key, { value: JSON.stringify(value), expected: 0 });
  return meta;
}

describe("acknowledgements", () => {
  it("are reported if they are not as they were written", async () => {
    const meta = new MemoryMetaStore();
    const entry = { cluster: "east", namespace: "batch", kind: "LimitReached", severity: "failed" };
    const said = { by: "token 1", note: "Known.", at: NOON, until: NOON + 1_000 };
    await createAcknowledgementWriter(meta).write({ ...entry, ...said, id: "1" });
    expect(await checkAcknowledgements(meta)).toMatchObject({ check: "acknowledgements", result: "ok" });
    await meta.write("acknowledgement", "east#batch#2", { value: "{}", expected: 0 });
    expect(await checkAcknowledgements(meta)).toMatchObject({
      result: "warning",
      detail: '1 acknowledgement damaged, the first for "east#batch#2". It mutes nothing: acknowledge the entry again.',
    });
  });
});

describe("clusters", () => {
  it.each<readonly [string, number | undefined, string]>([
    ["with data a minute ago are not silent", NOON - 60_000, "ok"],
    ["without data for an hour are silent", NOON - 3_600_000, "warning"],
    ["that were registered and have sent nothing are not silent", undefined, "ok"],
  ])("%s", async (_, at, result) => {
    const meta = await metaWith([["cluster", "east", at === undefined ? {} : { observed: { ...OBSERVED, at } }]]);
    expect(await checkFreshness(meta, NOON)).toMatchObject({ result });
  });

  it("that were imported from a recording are not silent", async () => {
    const { serverVersion: _, ...endOfRecording } = OBSERVED;
    const meta = await metaWith([["cluster", "east", { observed: { ...endOfRecording, at: NOON - 3_600_000 } }]]);
    expect(await checkFreshness(meta, NOON)).toMatchObject({ result: "ok" });
  });

  it("that are silent are counted, and the first is named with the time since its last data", async () => {
    const meta = await metaWith([
      ["cluster", "east", { observed: { ...OBSERVED, at: NOON - 3_600_000 } }],
      ["cluster", "west", { observed: { ...OBSERVED, at: NOON } }],
    ]);
    const { detail } = await checkFreshness(meta, NOON);
    expect(detail).toBe("1 of 2 clusters silent, east for 60m. Check that its exporter runs.");
  });

  it("are reported if none is known", async () => {
    expect(await checkFreshness(new MemoryMetaStore(), NOON)).toMatchObject({ result: "warning" });
  });

  it("without a sender are named, with the command to register one", async () => {
    const meta = await metaWith([
      ["cluster", "east", {}],
      ["cluster", "west", {}],
    ]);
    const check = await checkSenders(meta, MemoryRegistrations.ofSenders({ AROAEAST000000000001: "east" }));
    expect(check.result).toBe("warning");
    expect(check.detail).toContain("outlive clusters register west --principal-arn");
  });
});

describe("the set-aside messages", () => {
  it("are counted, with the newest reason, until they are settled", async () => {
    const meta = await metaWith([
      ["setAside", "1", { reason: "First.", setAsideAt: 1, bytes: 1 }],
      ["setAside", "2", { reason: "Last.", setAsideAt: 3, bytes: 1 }],
      ["setAside", "3", { reason: "Settled.", setAsideAt: 4, bytes: 1, settledAt: 5 }],
    ]);
    const check = await checkSetAside(meta, NOON);
    expect(check.result).toBe("warning");
    expect(check.detail).toContain("2 messages set aside. The newest reason: Last.");
  });

  it("were dropped if a sender exceeded its limit within the last day", async () => {
    const dropped = { bytes: 9, droppedSince: Date.UTC(2026, 10, 21, 11, 30) };
    const yesterday = await metaWith([["setAsideHour", "2026-11-20T11#AROAOLD", dropped]]);
    expect(await checkSetAside(yesterday, NOON)).toMatchObject({ result: "ok" });
    const today = await metaWith([
      ["setAsideHour", "2026-11-21T11#AROAQUIET", { bytes: 9 }],
      ["setAsideHour", "2026-11-21T11#AROAEAST", dropped],
    ]);
    const check = await checkSetAside(today, NOON);
    expect(check.result).toBe("warning");
    expect(check.detail).toContain("Messages of sender AROAEAST were dropped since 2026-11-21T11:30:00Z");
  });

  it("are none in a new deployment", async () => {
    expect(await checkSetAside(new MemoryMetaStore(), NOON)).toMatchObject({ result: "ok" });
  });
});
