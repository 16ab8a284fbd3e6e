import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { packSummary, unpackSummary } from "../../../src/projection/job-state/summary-bytes.ts";
import { fromStored, toStored } from "../../../src/projection/job-state/stored-summary.ts";
import { listedJob } from "../../support/story/listed-job.ts";

type Cause = NonNullable<JobAnswer["cause"]>;

const failed = (category: Cause["category"], responsible: Cause["responsible"], retry: Cause["retry"]): JobAnswer =>
  listedJob({ cause: { category, responsible, retry, message: "m", attempts: 1, counted: 1, evidence: [] } });

/** A Job as earlier releases stored it. */
const earlier = (category: Cause["category"]) =>
  listedJob({ cause: { category, message: "m", attempts: 1, counted: 1, evidence: [] } as unknown as Cause });

const USUAL = [
  failed("application", "program", "unknown"),
  failed("probe", "program", "unknown"),
  failed("oom", "limit", "more-memory"),
  failed("deadline", "limit", "more-time"),
  failed("image", "configuration", "after-a-fix"),
  failed("configuration", "configuration", "after-a-fix"),
  failed("scheduling", "configuration", "after-a-fix"),
  failed("eviction", "platform", "same"),
  failed("preemption", "platform", "same"),
  failed("node-loss", "platform", "same"),
  failed("deleted", "unknown", "unknown"),
  failed("unknown", "unknown", "unknown"),
];
const OTHERS = [
  failed("application", "program", "pointless"),
  failed("application", "unknown", "unknown"),
  failed("image", "platform", "same"),
  failed("deleted", "person", "unknown"),
];

describe("the responsibility in a stored summary", () => {
  it.each([...USUAL, ...OTHERS, listedJob({})].map((answer) => [answer.cause, answer] as const))(
    "is read as it was written: %j",
    (_, answer) => {
      expect(fromStored(toStored(answer))).toEqual(answer);
      expect(unpackSummary(packSummary(answer))).toEqual(answer);
    },
  );

  it.each(USUAL.map((answer) => [answer.cause, answer] as const))(
    "takes no byte where it is usual: %j",
    (_, answer) => {
      expect(toStored(answer)).toEqual(toStored(earlier(answer.cause?.category ?? "unknown")));
    },
  );

  it.each(USUAL.map((answer) => [answer.cause?.category ?? "unknown", answer] as const))(
    "of an earlier release is what is usual: %s",
    (category, answer) => {
      expect(unpackSummary(Buffer.from(JSON.stringify(earlier(category))))).toEqual(answer);
    },
  );
});
