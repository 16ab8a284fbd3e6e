import { describe, expect, it } from "vitest";
import { explainFinding, presentFinding, remediesFor } from "../../src/explain/explain-finding.ts";
import type { Finding } from "../../src/job/findings/finding.ts";

const stuck: Finding = {
  kind: "FinalizerStuck",
  stuck: "job",
  waitedMillis: 900_000,
  finalizers: ["example.com/hold"],
  evidence: [],
};

describe("a finding", () => {
  it("is explained once: every place of an answer has the same text", () => {
    expect(explainFinding(stuck)).toBe(explainFinding(stuck));
    expect(explainFinding({ ...stuck })).toEqual(explainFinding(stuck));
  });

  it("has the text of its explanation in the answer document", () => {
    expect(presentFinding(stuck)).toMatchObject({ kind: "FinalizerStuck", message: explainFinding(stuck).message });
  });

  it("has its remedies once, however many findings share them", () => {
    const { remedies } = explainFinding(stuck);
    expect(remedies.length).toBeGreaterThan(0);
    expect(remediesFor([stuck, { ...stuck }])).toEqual(remedies);
  });
});
