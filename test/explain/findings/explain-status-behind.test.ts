import { describe, expect, it } from "vitest";
import type { StatusBehind } from "../../../src/job/findings/find-status-behind.ts";
import { evidenceOf, explained } from "../../support/story/explained.ts";

const reported = { active: 1, succeeded: 0, failed: 0 };

function behind(missing: StatusBehind["missing"]): StatusBehind {
  const evidence = [
    evidenceOf({ what: "ended", phase: "Succeeded" } as const),
    evidenceOf({ what: "ended", phase: "Failed" } as const),
    evidenceOf({ what: "reported", reported } as const),
  ];
  return { kind: "StatusBehind", reported, missing, evidence };
}

describe("a status that lags, in words", () => {
  it.each([
    [{ succeeded: 1, failed: 0 }, "there is 1 success more"],
    [{ succeeded: 0, failed: 2 }, "there are 2 failures more"],
    [{ succeeded: 1, failed: 1 }, "there are 1 success more and 1 failure more"],
  ])("%o", (missing, text) => {
    expect(explained(behind(missing)).message).toBe(
      `Kubernetes reports active 1, succeeded 0, failed 0; ${text} than it counts.`,
    );
  });

  it("shows the ends and the report", () => {
    expect(explained(behind({ succeeded: 1, failed: 1 })).details).toEqual([
      "succeeded",
      "failed",
      "was reported as active 1, succeeded 0, failed 0",
    ]);
  });
});
