import { describe, expect, it } from "vitest";
import { fromStored, toStored } from "../../../src/projection/job-state/stored-summary.ts";
import { listedJob } from "../../support/story/listed-job.ts";

describe("a stored summary", () => {
  it("has neither what follows from its other fields nor what is usual", () => {
    const cause = { category: "oom", message: "m", attempts: 1, counted: 1, evidence: [] } as const;
    const answer = listedJob({ cause: { ...cause, responsible: "limit", retry: "more-memory" } });
    const { owners: _, run: __, externalIds: ___, ...stored } = answer;
    expect(toStored(answer)).toEqual({ ...stored, cause });
    expect(fromStored(toStored(answer))).toEqual(answer);
  });

  it("is complete without a cause", () => {
    expect(fromStored(toStored(listedJob()))).toEqual(listedJob());
  });
});
