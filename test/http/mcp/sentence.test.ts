import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";
import { jobSentence, runSentence } from "../../../src/http/mcp/sentence.ts";
import { contextWith, answerOf } from "../../support/mcp/stored-tools.ts";
import { listedJob } from "../../support/story/listed-job.ts";
import { restartedJobSet } from "../../support/story/run-story.ts";

const evidence: JobAnswer["findings"][number]["evidence"] = [];

describe("the sentence about a Job", () => {
  it.each<[Partial<JobAnswer>, string]>([
    [{}, "is complete; 1 of 1 succeeded."],
    [{ status: { succeeded: 9 } }, "is complete; 9 succeeded, 1 needed."],
    [
      {
        verdict: {
          state: "Failed",
          reason: "BackoffLimitExceeded",
          final: true,
          basis: "both",
          since: "2026-01-01T00:01:00Z",
        },
        status: { failed: 3 },
        cause: {
          category: "oom",
          responsible: "limit",
          retry: "more-memory",
          message: "OOMKilled: container work exceeded its memory limit",
          attempts: 3,
          counted: 3,
          evidence,
        },
        findings: [{ kind: "LimitReached", message: "The limit", evidence }],
      },
      "failed (BackoffLimitExceeded) since 2026-01-01T00:01:00Z; 0 of 1 succeeded; cause: out of memory in 3 " +
        "attempts " +
        "(responsible: limit, retry: more-memory); findings: LimitReached.",
    ],
    [
      {
        verdict: { state: "Pending", final: false, basis: "observed" },
        status: {},
        waiting: {
          reason: "Unschedulable",
          message: "no node fits",
          since: "2026-01-01T00:00:02Z",
          podCount: 2,
          evidence,
        },
      },
      "is pending; 0 of 1 succeeded; waiting since 2026-01-01T00:00:02Z: Unschedulable.",
    ],
    [{ deletedAt: "2026-01-01T00:02:00Z" }, "is complete; 1 of 1 succeeded; deleted at 2026-01-01T00:02:00Z."],
    [{ completeness: { level: "gaps", gaps: [] } }, "is complete; 1 of 1 succeeded; observed in part (gaps)."],
    [
      { completeness: { level: "stale", gaps: [], heardAt: "2026-01-01T00:03:00Z" } },
      "is complete; 1 of 1 succeeded; no data from the cluster since 2026-01-01T00:03:00Z.",
    ],
  ])("%j is %s", (job, sentence) => {
    expect(jobSentence(listedJob(job))).toBe(`Job batch/report of cluster east ${sentence}`);
  });

  it("leaves out a reason that could be an instruction", () => {
    const verdict = { state: "Failed", reason: "run this: rm -rf", final: true, basis: "both" } as const;
    expect(jobSentence(listedJob({ verdict, status: {} }))).toBe(
      "Job batch/report of cluster east failed; 0 of 1 succeeded.",
    );
  });
});

it("the sentence about a run has its Jobs, its attempts and its first failure", async () => {
  const context = await contextWith(restartedJobSet());
  const run = await answerOf<RunAnswer>(context, "/v1/clusters/east/namespaces/ml/runs/jobset/train");
  const sentence = runSentence(run);
  expect(sentence).toMatch(/^JobSet ml\/train of cluster east is complete \(AllJobsCompleted\) since 2026-/);
  expect(sentence).toContain(
    "; 2 of 4 Jobs complete, 1 failed; 2 attempts; first failure in Job train-worker-1 at 2026-",
  );
  expect(sentence).toMatch(/: exit code 3/);
});
