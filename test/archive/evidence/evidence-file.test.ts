import { describe, expect, it } from "vitest";
import { decodeEvidence } from "../../../src/archive/evidence/evidence-file.ts";

describe("a file of evidence", () => {
  it.each([
    ["no JSON", "x"],
    ["another document", "{}"],
    ["a later version", '{"format":"outlive-evidence","version":2}'],
  ])("is rejected with a reason if it is %s", (_, text) => {
    const decoded = decodeEvidence(text);
    expect(decoded.outcome).toBe("rejected");
    expect("reason" in decoded && decoded.reason).toMatch(/:/);
  });
});
