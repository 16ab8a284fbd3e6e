import { describe, expect, it } from "vitest";
import { endingsOf, finishedAt } from "../../../src/job/status/job-ending.ts";
import { Story } from "../../support/story/story.ts";

describe("the conditions that end a Job", () => {
  it("are none while the Job is running", () => {
    const story = new Story();
    story.jobCreated();
    story.jobReported({ conditions: [{ type: "Suspended", status: "True" }] });
    expect(endingsOf(story.record.job)).toEqual([]);
  });

  it("are none of a Job of which nothing was reported", () => {
    const story = new Story();
    story.jobCreated();
    expect(endingsOf(story.record.job)).toEqual([]);
  });

  it("start with the interim condition", () => {
    const story = new Story();
    story.jobFinished("Failed", "DeadlineExceeded", {
      conditions: [
        { type: "Failed", status: "True" },
        { type: "FailureTarget", status: "True" },
      ],
    });
    expect(endingsOf(story.record.job).map(({ type }) => type)).toEqual(["FailureTarget", "Failed", "Failed"]);
  });

  it("do not include a condition with status False", () => {
    const story = new Story();
    story.jobReported({ conditions: [{ type: "SuccessCriteriaMet", status: "False" }] });
    expect(endingsOf(story.record.job)).toEqual([]);
  });
});

describe("the finish of a Job", () => {
  it("is unknown while neither Complete nor Failed was reported", () => {
    const story = new Story();
    story.jobReported({ conditions: [{ type: "FailureTarget", status: "True", lastTransitionAt: story.now }] });
    expect(finishedAt(story.record.job)).toBeUndefined();
  });

  it.each(["Complete", "Failed"] as const)("is the transition of %s", (type) => {
    const story = new Story();
    story.jobFinished(type);
    const finish = story.now;
    story.after(60);
    story.jobReported({});
    expect(finishedAt(story.record.job)).toBe(finish);
  });

  it("is the instant of the observation if the condition has no transition", () => {
    const story = new Story();
    story.jobFinished("Complete");
    const last = story.facts.findLast((fact) => fact.kind === "JobFinished");
    if (last === undefined) return expect.fail("no end");
    const { lastTransitionAt: _, ...condition } = last.condition;
    story.facts.splice(story.facts.indexOf(last), 1, { ...last, at: story.second(7), condition });
    expect(finishedAt(story.record.job)).toBe(story.second(7));
  });
});
