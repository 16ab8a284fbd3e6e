import { describe, expect, it } from "vitest";
import {
  presentWaiting,
  remediesForWaiting,
  shortWaitingText,
  waitingText,
} from "../../../src/explain/cause/explain-waiting.ts";
import type { Waiting, WaitingCause, WaitingShows } from "../../../src/job/cause/waiting-cause.ts";
import { AT, evidenceOf, POD } from "../../support/story/explained.ts";

function waitingFor(why: WaitingCause, more: Partial<Waiting> = {}): Waiting {
  return { reason: "BackOff", why, since: AT, pods: [POD], podCount: 1, running: 0, evidence: [], ...more };
}

const exited = { cause: "exited", container: "work", role: "main", exitCode: 1 } as const;

describe("what a Job waits for, in words", () => {
  it.each<[WaitingCause, string, number]>([
    [{ cause: "suspended" }, "suspended", 0],
    [{ cause: "queued", by: "Kueue" }, "queued by Kueue", 0],
    [{ cause: "queued", by: "Kueue", queue: "gold" }, "queued by Kueue in queue gold", 0],
    [{ cause: "nodeNotReady", node: "node-a" }, "node node-a is not ready", 1],
    [
      { cause: "backOff", container: "work", restarts: 1, last: exited },
      "CrashLoopBackOff of container work after 1 restart: container work exited with code 1",
      1,
    ],
    [{ cause: "backOff", container: "work", restarts: 2 }, "CrashLoopBackOff of container work after 2 restarts", 0],
    [
      { cause: "sandboxFailed", reason: "FailedCreatePodSandBox", node: "node-a", since: AT },
      "FailedCreatePodSandBox: no sandbox on node-a",
      1,
    ],
    [{ cause: "noParallelism" }, "parallelism is 0, so no Pod is wanted", 1],
    [
      { cause: "otherController", managedBy: "example.com/other" },
      "managed by example.com/other, not by the Job controller",
      1,
    ],
    [{ cause: "notStarted" }, "the Job controller has not started it", 1],
    [{ cause: "retryDelay", atMostSeconds: 160 }, "back-off of up to 2 min 40 s", 0],
    [{ cause: "notScheduled", reason: "Unschedulable", since: AT }, "Unschedulable: no node fits", 1],
  ])("%o is: %s, with %i remedies", (why, text, remedies) => {
    expect(waitingText(waitingFor(why))).toBe(text);
    expect(remediesForWaiting(waitingFor(why))).toHaveLength(remedies);
  });

  it("has a short form where numbers make it long", () => {
    const details = { about: "refusal", by: "quota" } as const;
    expect(shortWaitingText(waitingFor({ cause: "refused", times: 9, details }))).toBe(
      "FailedCreate: no Pod could be created, quota exceeded",
    );
    expect(shortWaitingText(waitingFor({ cause: "suspended" }))).toBeUndefined();
  });
});

describe("what a Job waits for, in an answer", () => {
  it.each<[WaitingShows, string]>([
    [{ what: "observed", phase: "Pending", reason: "ErrImagePull" }, "was Pending: ErrImagePull"],
    [{ what: "observed", phase: "" }, "was without a phase"],
    [{ what: "event", reason: "FailedCreate", times: 1 }, "had Event FailedCreate"],
    [{ what: "event", reason: "FailedCreate", times: 7 }, "had Event FailedCreate, 7 times"],
    [{ what: "suspended" }, "was reported suspended"],
  ])("shows %o as: %s", (shows, detail) => {
    const { evidence } = presentWaiting(waitingFor({ cause: "suspended" }, { evidence: [evidenceOf(shows)] }));
    expect(evidence.map((ref) => ref.detail)).toEqual([detail]);
  });

  it("has its Pods, if it has any", () => {
    const waiting = waitingFor({ cause: "suspended" }, { reason: "Suspended" });
    const since = "2026-01-01T00:00:00Z";
    expect(presentWaiting(waiting)).toEqual({
      reason: "Suspended",
      message: "suspended",
      since,
      podCount: 1,
      pods: [POD],
      evidence: [],
    });
    expect(presentWaiting({ ...waiting, pods: [] })).not.toHaveProperty("pods");
  });
});
