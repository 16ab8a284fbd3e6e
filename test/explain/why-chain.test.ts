import { describe, expect, it } from "vitest";
import { type Chain, chainOf } from "../../src/explain/why-chain.ts";
import { MAX_CHAIN, WhyPods } from "../../src/explain/why-pods.ts";
import { derivedOf } from "../support/story/derived-of-story.ts";
import { tracked } from "../support/story/finding-stories.ts";
import type { Story } from "../support/story/story.ts";

function chainIn(story: Story): Chain {
  const { record, clusterContext } = story;
  const pods = new WhyPods(record.job, clusterContext);
  for (const pod of record.pods.values()) pods.visit(pod);
  return chainOf(derivedOf(story), pods);
}

const linesOf = (story: Story): readonly string[] =>
  chainIn(story).entries.map(({ object, sentence }) => `${object} ${sentence}`);

function failed(): Story {
  const story = tracked({ backoffLimit: 0 }, { owner: { kind: "CronJob", name: "nightly", uid: "cron-1" } });
  story.podFails("a", 3, 2, { tracked: true });
  story.podUntracked("a");
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
  return story;
}

describe("the facts of an explanation", () => {
  it("begin with the Job and go on in order of time, each once", () => {
    expect(linesOf(failed())).toEqual([
      "job/render Was created by CronJob nightly, with 1 completion wanted.",
      "pod/render-a Failed with exit code 3.",
      "job/render Was reported Failed (BackoffLimitExceeded).",
    ]);
  });

  it("say by whom the Job was deleted, or that no fact shows it", () => {
    const story = tracked();
    story.after(10);
    story.jobDeletionRequested([]);
    expect(linesOf(story)).toContain("job/render Was marked for deletion; no fact shows by whom.");
    story.requested("Job", "ada");
    expect(linesOf(story)).toContain("job/render Was deleted by ada: ada deleted it.");
  });

  it("say that the Job was missing", () => {
    const story = failed();
    const { job } = story.record;
    if (job.created === undefined) throw new Error("The Job was created.");
    const { epoch, resourceVersion, jobUid } = job.created;
    story.facts.push({ kind: "JobVanished", epoch, resourceVersion, at: story.now, jobUid });
    expect(linesOf(story)).toContain("job/render Was missing from a later list.");
  });

  it("are bounded, and say how many are left out", () => {
    const story = tracked({ backoffLimit: 100 });
    for (let pod = 0; pod < MAX_CHAIN + 5; pod += 1) story.podFails(`p${pod}`, pod, 1, { tracked: true });
    const { entries, omitted } = chainIn(story);
    expect(entries).toHaveLength(MAX_CHAIN);
    expect(entries[0]?.object).toBe("job/render");
    expect(omitted).toMatchObject({ atLeast: true });
    expect(omitted.count).toBeGreaterThan(0);
  });
});
