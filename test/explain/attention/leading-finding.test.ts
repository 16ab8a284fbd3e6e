import { describe, expect, it } from "vitest";
import { compareKinds, leadingFinding, titleOfKind } from "../../../src/explain/attention/leading-finding.ts";
import { CRON_FINDING_KINDS } from "../../../src/parents/cron-job/cron-findings.ts";
import { FINDING_KINDS } from "../../../src/explain/findings/finding-kinds.ts";
import { KIND_TEXTS } from "../../../src/explain/findings/findings.ts";
import { listedJob } from "../../support/story/listed-job.ts";

describe("the leading finding of a Job", () => {
  it("is the first in the order of the page, whatever the order of its findings", () => {
    const findings = FINDING_KINDS.map((kind) => ({ kind, message: `It is ${kind}.`, evidence: [] }));
    const [first] = Object.keys(KIND_TEXTS);
    for (const listed of [findings, findings.toReversed()]) {
      expect(leadingFinding(listedJob({ findings: listed }))).toEqual({
        kind: first,
        message: `It is ${first}.`,
        since: undefined,
      });
    }
  });

  it("is one of a later release only if there is no other", () => {
    const waiting = { kind: "Waiting", message: "It waits.", evidence: [] } as const;
    const later = Object.assign({ ...waiting }, { kind: "NotYetKnown", message: "It is new." });
    expect(leadingFinding(listedJob({ findings: [later, waiting] }))).toMatchObject({ kind: "Waiting" });
    expect(leadingFinding(listedJob({ findings: [later] }))).toMatchObject({ kind: "NotYetKnown" });
  });

  it("says of a large Job without findings in its row where they are", () => {
    const verdict = { state: "Failed", final: true, basis: "reported", reason: "BackoffLimitExceeded" } as const;
    expect(leadingFinding(listedJob({ verdict }))).toMatchObject({
      kind: "PodsUnread",
      message:
        "State: Failed (BackoffLimitExceeded). Lists do not read its Pods: the answer about the Job has its findings.",
    });
  });
});

const ALL_KINDS = [...FINDING_KINDS, ...CRON_FINDING_KINDS, "PodsUnread"];

describe("the title of a kind", () => {
  it("differs from those of all others, and from the kind", () => {
    const titles = ALL_KINDS.map(titleOfKind);
    expect(new Set(titles).size).toBe(ALL_KINDS.length);
    expect(titles.filter((title) => ALL_KINDS.includes(title))).toEqual([]);
  });

  it("is the kind itself, of a later release", () => {
    expect(titleOfKind("NewKind")).toBe("NewKind");
  });
});

describe("the kind that leads", () => {
  it("is what a CronJob has failed to do, then what its Jobs show, then what it may fail to do", () => {
    const sorted = ALL_KINDS.toSorted(compareKinds);
    expect(sorted.slice(0, 3)).toEqual(["ConsecutiveFailures", "MissedRun", "PhantomRunning"]);
    expect(sorted.slice(-3)).toEqual(["OverlappingRun", "TrendSlower", "PodsUnread"]);
  });
});
