import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/query/access/scope.ts";
import { explainStoredRun } from "../../../src/query/runs/explain-run.ts";
import { isTrue, parentObserved } from "../../support/facts/parent-facts.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { restartedJobSet, second } from "../../support/story/run-story.ts";

const wanted = { cluster: clusterOf("east"), namespace: "ml", kind: "jobset", name: "train" };
const explain = async (facts: Parameters<typeof runPortsWith>[0], scope: Scope = "everything") =>
  explainStoredRun(await runPortsWith(facts), { scope, wanted }, second(120));

describe("the explanation of a stored run", () => {
  it("says what its success cost", async () => {
    expect(await explain(restartedJobSet())).toMatchObject({
      outcome: "explained",
      why: {
        kind: "JobSet",
        name: "train",
        verdict: { state: "Complete" },
        answer: "Complete in attempt 1: 2 of 2 Jobs complete; attempt 0 exited with code 3.",
      },
    });
  });

  it("has what the Job that decided says first, with its evidence", async () => {
    const ended = parentObserved({
      at: second(15),
      createdAt: second(0),
      uid: "train-uid",
      runUid: "train-uid",
      fields: { restarts: "0" },
      conditions: [isTrue("Failed", second(15), { reason: "FailedJobs" })],
    });
    const first = restartedJobSet().filter((fact) => "jobUid" in fact && fact.jobUid.endsWith("-0"));
    const explained = await explain([ended, ...first]);
    if (explained.outcome !== "explained") return expect.fail();
    const { answer, details, chain } = explained.why;
    expect(answer).toBe("Failed (FailedJobs): worker-1 exited with code 3.");
    expect(details[1]).toMatch(/^Job train-worker-1: Failed \(BackoffLimitExceeded\)/);
    expect(chain.some(({ object }) => object.startsWith("pod/"))).toBe(true);
  });

  it("is none for a reader without a grant", async () => {
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["other"] }] };
    expect(await explain(restartedJobSet(), scope)).toMatchObject({ outcome: "unknownRun" });
  });
});
