import { describe, expect, it } from "vitest";
import type { HintFact, HintTarget } from "../../../src/job/model/fact.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";
import { isAboutJob } from "../../../src/query/job/is-about-job.ts";
import { Story } from "../../support/story/story.ts";

/** Job "nightly" with Pod "nightly-a", there from 8:00:00 to 8:01:00. */
function record() {
  const story = new Story("nightly", "2026-01-01T08:00:00Z");
  story.jobCreated();
  story.podCreated("a");
  story.after(60);
  story.jobDeleted();
  return story.record;
}

function request(target: Pick<HintTarget, "kind" | "uid">, time: string): HintFact {
  return {
    kind: "RequestHinted",
    hintId: "audit-1",
    target: { namespace: "default", name: "nightly", ...target },
    verb: "delete",
    user: "alice",
    code: 200,
    requestedAt: parseInstant(time) ?? 0,
    epoch: 0,
    resourceVersion: 0,
    at: 0,
  } as HintFact;
}

describe("a hint found by a Job's name", () => {
  it.each([
    ["names its uid, whenever it was", { kind: "Job", uid: "nightly" }, "2026-01-01T09:00:00Z", true],
    ["names the uid of another Job of that name", { kind: "Job", uid: "nightly-0" }, "2026-01-01T08:00:30Z", false],
    ["names the uid of its Pod", { kind: "Pod", uid: "nightly-a" }, "2026-01-01T08:00:30Z", true],
    ["names the uid of another Pod", { kind: "Pod", uid: "nightly-z" }, "2026-01-01T08:00:30Z", false],
    ["names no uid, while it was there", { kind: "Job" }, "2026-01-01T08:00:30Z", true],
    ["names no uid, within the difference of clocks", { kind: "Job" }, "2026-01-01T08:01:05Z", true],
    ["names no uid, before it came", { kind: "Job" }, "2026-01-01T07:59:54Z", false],
    ["names no uid, after it had gone", { kind: "Job" }, "2026-01-01T08:01:06Z", false],
    ["is about the CronJob that made it", { kind: "CronJob", uid: "cron" }, "2026-01-01T07:00:00Z", true],
  ] as const)("that %s", (_, target, time, expected) => {
    expect(isAboutJob(record())(request(target, time))).toBe(expected);
  });
});
