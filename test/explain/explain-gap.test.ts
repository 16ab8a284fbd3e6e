import { describe, expect, it } from "vitest";
import { presentCompleteness } from "../../src/explain/explain-gap.ts";
import type { Gap } from "../../src/job/status/completeness.ts";

const AT = Date.UTC(2026, 0, 1);
const LATER = AT + 60_000;

describe("a gap in words", () => {
  it.each<[Gap, string]>([
    [{ gap: "recorded", from: AT, to: LATER, resources: ["pods"], reason: "The watch expired." }, "The watch expired."],
    [
      { gap: "beforeFirstObservation", to: AT, forgets: false },
      "The Job had counted Pods before it was first observed.",
    ],
    [
      { gap: "beforeFirstObservation", from: AT, to: LATER, forgets: true },
      "The Job had started before it was first observed, and its controller does not count deleted Pods.",
    ],
    [{ gap: "jobNotObserved" }, "The Job object was never observed."],
    [{ gap: "nameReadFromPod", pod: "a-1", mayGoOn: false }, "The Job's name is taken from its Pod a-1."],
    [
      { gap: "nameReadFromPod", pod: "a-1", mayGoOn: true },
      "The Job's name is taken from its Pod a-1, whose name has the maximum length: the Job's name may be longer.",
    ],
    [{ gap: "endsNotObserved", pods: 1 }, "Kubernetes counted 1 Pod whose end was not observed."],
    [{ gap: "endsNotObserved", pods: 2 }, "Kubernetes counted 2 Pods whose ends were not observed."],
    [{ gap: "podsObservedInPart", pods: 1 }, "1 Pod was not observed from beginning to end."],
    [{ gap: "podsObservedInPart", pods: 3 }, "3 Pods were not observed from beginning to end."],
    [{ gap: "jobTruncated" }, "The Job object was too large to be recorded completely."],
  ])("%o: %s", (gap, reason) => {
    expect(presentCompleteness({ level: "gaps", gaps: [gap] }).gaps).toMatchObject([{ reason }]);
  });

  it("has its times, as far as they are known", () => {
    const recorded: Gap = { gap: "recorded", from: AT, to: LATER, resources: [], reason: "" };
    const begun: Gap = { gap: "beforeFirstObservation", to: AT, forgets: false };
    const { gaps } = presentCompleteness({ level: "reconciled", gaps: [recorded, begun] });
    expect(gaps[0]).toMatchObject({ from: "2026-01-01T00:00:00Z", to: "2026-01-01T00:01:00Z" });
    expect(gaps[1]).not.toHaveProperty("from");
  });
});

describe("completeness", () => {
  it("names since when a silent cluster was heard, and nothing of the kind otherwise", () => {
    expect(presentCompleteness({ level: "stale", gaps: [], heardAt: AT })).toEqual({
      level: "stale",
      gaps: [],
      heardAt: "2026-01-01T00:00:00Z",
    });
    expect(presentCompleteness({ level: "complete", gaps: [] })).toEqual({ level: "complete", gaps: [] });
  });
});
