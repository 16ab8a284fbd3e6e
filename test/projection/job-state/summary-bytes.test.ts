import { describe, expect, it } from "vitest";
import { packSummary, SummaryUnreadableError, unpackSummary } from "../../../src/projection/job-state/summary-bytes.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const usual = listedJob({ labels: { app: "render" } });

describe("a packed summary", () => {
  it.each([
    ["a usual Job", usual],
    ["a Job with text of every kind", listedJob({ labels: { said: "„Übergrößenträger“ \u0000 \u{1F600}" } })],
  ])("is read back as it was packed: %s", (_, answer) => {
    expect(unpackSummary(packSummary(answer))).toEqual(JSON.parse(JSON.stringify(answer)));
  });

  it("takes less than a fifth of its JSON text", () => {
    expect(packSummary(usual).length * 5).toBeLessThan(JSON.stringify(usual).length);
  });

  it("may be JSON text as it is, which is how rows had it before", () => {
    expect(unpackSummary(Buffer.from(JSON.stringify(usual)))).toEqual(JSON.parse(JSON.stringify(usual)));
  });

  it.each([
    ["of a later release", Uint8Array.of(9, 1, 2), /begins with byte 9.*Update Outlive.*outlive replay/],
    ["that are none", new Uint8Array(), /begins with byte none/],
    ["that were cut", packSummary(usual).subarray(0, 40), /damaged.*outlive replay/],
  ])("says what to do about bytes %s", (_, bytes, sentence) => {
    expect(() => unpackSummary(bytes)).toThrow(SummaryUnreadableError);
    expect(() => unpackSummary(bytes)).toThrow(sentence);
  });
});
