import { describe, expect, it } from "vitest";
import { leadingFinding, titleOfCronFinding } from "../../../src/explain/attention/leading-finding.ts";
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
        title: "Phantom-running",
        message: `It is ${first}.`,
        since: undefined,
      });
    }
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

describe("the title of a finding of a CronJob", () => {
  it("differs from those of all others", () => {
    const titles = [...CRON_FINDING_KINDS.map(titleOfCronFinding), ...Object.values(KIND_TEXTS).map((of) => of.title)];
    expect(new Set(titles).size).toBe(CRON_FINDING_KINDS.length + FINDING_KINDS.length);
  });
});
