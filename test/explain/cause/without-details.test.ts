import { describe, expect, it } from "vitest";
import { withoutDetails, withoutWaitingDetails } from "../../../src/explain/cause/without-details.ts";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
import type { Waiting, WaitingCause } from "../../../src/job/cause/waiting-cause.ts";

const work = { container: "work", role: "main" } as const;
const image: PodCause = { cause: "imageNotPulled", ...work, reason: "ErrImagePull", since: 1 };
const volume: PodCause = { cause: "volumeNotMounted", reason: "FailedMount", since: 1 };
const exited: PodCause = { cause: "exited", ...work, exitCode: 1 };

describe("a cause without details", () => {
  it.each<[string, PodCause, PodCause]>([
    ["has no problem of the image", { ...image, problem: "notFound" }, image],
    ["has no missing object", { ...volume, details: { about: "missing", object: "Secret" } }, volume],
    [
      "keeps who refuses, not the numbers",
      { cause: "refused", times: 3, details: { about: "refusal", by: "quota", resources: [{ resource: "cpu" }] } },
      { cause: "refused", times: 3, details: { about: "refusal", by: "quota" } },
    ],
    ["is the same where nothing is known of a refusal", { cause: "refused", times: 1 }, { cause: "refused", times: 1 }],
    ["is the same where it has none", exited, exited],
  ])("%s", (_, why, short) => {
    expect(withoutDetails(why)).toEqual(short);
  });
});

describe("what a Job waits for, without details", () => {
  it.each<[WaitingCause, WaitingCause]>([
    [{ ...image, problem: "timeout" }, image],
    [{ cause: "suspended" }, { cause: "suspended" }],
    [
      { cause: "queued", by: "Kueue", queue: "gold" },
      { cause: "queued", by: "Kueue", queue: "gold" },
    ],
    [
      { cause: "backOff", container: "work", restarts: 2, last: exited },
      { cause: "backOff", container: "work", restarts: 2 },
    ],
  ])("%o is %o", (why, short) => {
    const none = { pods: [], podCount: 0, running: 0, evidence: [] };
    const waiting: Waiting = { reason: "BackOff", since: 0, why, ...none };
    expect(withoutWaitingDetails(waiting)).toEqual({ ...waiting, why: short });
  });
});
