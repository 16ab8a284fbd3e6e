import { describe, expect, it } from "vitest";
import type { WhyAnswer } from "../../../src/query/job/explain-job.ts";
import { apiOver } from "../../support/http/request-api.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

const JOB = "/v1/clusters/east/namespaces/default/jobs";

/**
 * A Job whose object was never observed. Its Pod has a name as the Job controller gives it, and succeeds after 60 s.
 */
async function orphan() {
  const story = new Story("orphan", "2026-01-01T00:00:00Z");
  story.podSucceeds("bcdfg", 60);
  return apiOver(await storesWithFacts(story.facts));
}

describe("a Job that is known only by its Pods, as of an instant", () => {
  it.each(["", "/why"])("after its first fact is answered by %j", async (part) => {
    const { ask } = await orphan();
    const answer = await ask(`${JOB}/orphan${part}?asOf=2026-01-01T20:00:00Z`);
    expect(answer).toMatchObject({ status: 200, body: { name: "orphan", verdict: { state: "Unknown" } } });
  });

  it("is derived from the Pods that were known then", async () => {
    const { ask } = await orphan();
    const during = await ask(`${JOB}/orphan?asOf=2026-01-01T00:00:30Z`);
    expect(during.body).toMatchObject({ pods: { seen: 1, succeeded: 0 } });
    const after = await ask(`${JOB}/orphan?asOf=2026-01-01T00:05:00Z`);
    expect(after.body).toMatchObject({ pods: { seen: 1, succeeded: 1 } });
  });
});

async function failed() {
  const other = new Story("other", "2026-01-01T00:00:00Z");
  other.jobCreated();
  const story = new Story("failed", "2026-01-01T01:00:00Z");
  story.jobCreated({ backoffLimit: 0 });
  story.podFails("a", 3, 5);
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1, startTime: story.second(0) });
  return apiOver(await storesWithFacts([...other.facts, ...story.facts]));
}

describe("an explanation as of an instant", () => {
  it("explains the state that the Job had then", async () => {
    const { ask } = await failed();
    const early = (await ask(`${JOB}/failed/why?asOf=2026-01-01T01:00:02Z`)).body as WhyAnswer;
    expect(early.verdict).toMatchObject({ state: "Running" });
    const now = (await ask(`${JOB}/failed/why`)).body as WhyAnswer;
    expect(now.verdict).toMatchObject({ state: "Failed" });
  });

  it.each([
    ["before the first fact of the Job", "2026-01-01T00:30:00Z", 404, /not yet known.*2026-01-01T01:00:00Z/],
    ["before the log begins", "2025-01-01T00:00:00Z", 400, /before the log of this cluster begins/],
    ["in the future", "2099-01-01T00:00:00Z", 400, /in the future/],
  ])("is refused for an instant %s", async (_, asOf, status, detail) => {
    const { ask } = await failed();
    expect(await ask(`${JOB}/failed/why?asOf=${asOf}`)).toMatchObject({
      status,
      body: { detail: expect.stringMatching(detail) as string },
    });
  });
});
