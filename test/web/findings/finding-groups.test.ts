import { describe, expect, it } from "vitest";
import { findingGroups } from "../../../web/findings/finding-groups.ts";
import { listedJob } from "../../support/story/listed-job.ts";

function finding(kind: "LimitReached" | "PhantomRunning") {
  return { kind, message: kind, evidence: [] };
}

function ended(uid: string, reason: string) {
  const verdict = { state: "Failed", reason, final: true, basis: "both" } as const;
  return listedJob({ uid, findings: [finding("LimitReached")], verdict });
}

describe("groups of findings", () => {
  it("list ongoing problems first", () => {
    const jobs = [
      listedJob({ uid: "1", findings: [finding("LimitReached")] }),
      listedJob({ uid: "2", findings: [finding("PhantomRunning"), finding("LimitReached")] }),
    ];
    expect(findingGroups(jobs).map(({ kind, jobFindings }) => [kind, jobFindings.length])).toEqual([
      ["PhantomRunning", 1],
      ["LimitReached", 2],
    ]);
  });

  it("count the limits that ended Jobs, the most frequent first", () => {
    const [group] = findingGroups([ended("1", "A"), ended("2", "B"), ended("3", "B")]);
    expect(group?.reasons).toEqual([
      ["B", 2],
      ["A", 1],
    ]);
  });
});
