import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Live } from "../../../web/api/live.ts";
import type { AttentionAnswer } from "../../../src/query/attention/attention.ts";
import { attentionEntry, NEWEST } from "../../support/story/attention-entry.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const NOW = Date.parse("2026-01-02T00:00:00Z");

/** The page's modules read what a browser has. */
async function options(live: Live<AttentionAnswer>) {
  const { attentionOptions } = await import("../../../web/attention/live-attention.ts");
  return attentionOptions(() => live);
}

const answered: Live<AttentionAnswer> = {
  phase: "answered",
  at: NOW - 60_000,
  answer: { items: [attentionEntry({ newest: NEWEST })], complete: true },
};

describe("the list of what needs attention is read again", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    const storage = { getItem: () => null, setItem: () => undefined };
    vi.stubGlobal("localStorage", storage);
    vi.stubGlobal("sessionStorage", storage);
    vi.stubGlobal("location", { pathname: "/", hash: "" });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([
    ["has findings", listedJob({ findings: [{ kind: "Waiting", message: "", evidence: [] }] }), true],
    ["failed", listedJob({ verdict: { state: "Failed", final: true, basis: "both" } }), true],
    ["is the newest of an entry", listedJob({ uid: "u-1", cluster: "east" }), true],
    ["has nothing to do with it", listedJob({ uid: "u-2" }), false],
  ])("when a Job changed that %s: %#", async (_, job, isOld) => {
    expect((await options(answered)).isOld?.(job)).toBe(isOld);
  });

  it("when changes were missed, and at most once a minute because of changes", async () => {
    const { repeats, restMillis } = await options(answered);
    expect(repeats?.("missed")).toBe(true);
    expect(restMillis).toBe(60_000);
  });

  it.each([
    [599_999, false],
    [600_000, true],
  ])("for what time alone changes: after %i ms %j", async (millis, isRead) => {
    const { repeats } = await options({ ...answered, at: NOW - millis });
    expect(repeats?.("interval")).toBe(isRead);
  });
});
