import { describe, expect, it } from "vitest";
import { isMixture, nameCause } from "../../../src/explain/cause/cause-mixture.ts";
import { headline } from "../../../src/explain/headline.ts";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
import { deriveRecord } from "../../../src/explain/derived-job.ts";
import { Story } from "../../support/story/story.ts";

interface Attempt {
  readonly exitCode: number;
  readonly oom?: true;
  readonly evicted?: true;
}
const OOM: Attempt = { exitCode: 137, oom: true };
const EVICTED: Attempt = { exitCode: 143, evicted: true };
const exit = (exitCode: number): Attempt => ({ exitCode });

/** A Job whose attempts failed one after the other. */
function failing(attempts: readonly Attempt[], isComplete = false): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: attempts.length - 1 });
  story.jobTracked();
  for (const [at, { exitCode, oom, evicted }] of attempts.entries()) {
    const pod = `p${at}`;
    story.podCreated(pod);
    story.podTracked(pod);
    story.podStarted(pod);
    story.after(5);
    story.containerEnded(pod, exitCode, 5, oom === true ? { reason: "OOMKilled", memoryLimit: "32Mi" } : {});
    story.podTerminated(pod, "Failed", { tracked: true, ...(evicted === true && { reason: "Evicted" }) });
  }
  if (isComplete) story.podSucceeds("last", 5, { tracked: true });
  const failed = attempts.length;
  if (isComplete) story.jobFinished("Complete", "CompletionsReached", { succeeded: 1, failed });
  else story.jobFinished("Failed", "BackoffLimitExceeded", { failed });
  return story;
}

function lineOf({ record, clusterContext, now }: Story): string {
  return headline(deriveRecord(record, { clusterContext, now }));
}

describe("a headline about attempts that failed for several causes", () => {
  it.each<[string, readonly Attempt[], string]>([
    [
      "an out-of-memory kill that came first",
      [OOM, exit(1), exit(1)],
      "OOMKilled: container work exceeded its memory limit (32Mi) once, then container work exited with code 1 twice.",
    ],
    [
      "an eviction that came first",
      [EVICTED, exit(1), exit(1), exit(1)],
      "evicted by the kubelet on node-a once, then container work exited with code 1 (3 times)",
    ],
    ["an out-of-memory kill that came last", [exit(1), OOM], "code 1 once, then OOMKilled: container work"],
    [
      "three causes in few words",
      [OOM, EVICTED, exit(2)],
      "OOMKilled (32Mi) once, then evicted once, then exit code 2 once",
    ],
    [
      "the first causes and that of most attempts, where they are many",
      [OOM, exit(2), exit(3), exit(9), exit(9)],
      "OOMKilled (32Mi) once, then exit code 2 once, then exit code 9 twice, and 1 other cause",
    ],
  ])("names %s", (_, attempts, expected) => {
    expect(lineOf(failing(attempts))).toContain(expected);
  });

  it("names them for a success too, with what it cost", () => {
    expect(lineOf(failing([OOM, exit(1)], true))).toBe(
      "Complete: 1 of 1 succeeded; 2 attempts failed before: OOMKilled (32Mi) once, then exit code 1 once.",
    );
  });

  it("names one cause with its share where all attempts failed for it", () => {
    expect(lineOf(failing([exit(1), exit(1)]))).toContain("container work exited with code 1 in 2 of 2 attempts");
  });
});

describe("runs in place", () => {
  it("are distinguished from attempts", () => {
    const story = new Story();
    story.jobCreated({ backoffLimit: 0, restartPolicy: "OnFailure" });
    story.jobTracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.after(5);
    story.containerEnded("a", 137, 5, { reason: "OOMKilled" });
    story.after(5);
    story.containerEnded("a", 1, 5, { restartCount: 1 });
    story.podTerminated("a", "Failed", { tracked: true });
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
    expect(lineOf(story)).toContain(
      "OOMKilled: container work exceeded its memory limit once in place, then container work exited with code 1 once",
    );
  });
});

describe("a cause that decided", () => {
  it("is not mixed with others", () => {
    const why: PodCause = { cause: "preempted" };
    const share = { why, attempts: 1, restarts: 0, counted: 1, ignored: 0, ignoredBy: [] };
    expect(isMixture({ shares: [share, share], decides: true })).toBe(false);
    expect(isMixture({ shares: [share, share], decides: false })).toBe(true);
    expect(isMixture({ shares: [share], decides: false })).toBe(false);
  });
});

describe("the name of a cause", () => {
  const ref = { container: "work", role: "main" } as const;
  it.each<[PodCause, string]>([
    [{ cause: "outOfMemory", ...ref, exitCode: 137 }, "OOMKilled"],
    [{ cause: "outOfMemory", ...ref, exitCode: 137, podMemoryLimit: "64Mi" }, "OOMKilled (64Mi)"],
    [{ cause: "outOfMemory", ...ref, exitCode: 0 }, "OOMKilled (a child; exit code 0)"],
    [{ cause: "imageNotPulled", ...ref, reason: "InvalidImageName", since: 0 }, "InvalidImageName"],
    [{ cause: "containerNotStarted", ...ref, reason: "StartError" }, "StartError"],
    [{ cause: "volumeNotMounted", reason: "FailedMount", since: 0 }, "FailedMount"],
    [{ cause: "notScheduled", reason: "Unschedulable", since: 0 }, "Unschedulable"],
    [{ cause: "refused", times: 1 }, "FailedCreate"],
    [{ cause: "preempted" }, "preempted"],
    [{ cause: "evicted", by: "taint" }, "evicted"],
    [{ cause: "refusedByNode", reason: "OutOfcpu", hadRun: true }, "OutOfcpu"],
    [{ cause: "probeFailed", probe: "liveness", ...ref, exitCode: 137 }, "liveness probe failed"],
    [{ cause: "nodeLost", node: "node-a" }, "node-a lost"],
    [{ cause: "nodeLost" }, "node lost"],
    [{ cause: "outcomeLost", by: "runtime" }, "outcome unknown"],
    [{ cause: "podDeadline" }, "Pod deadline passed"],
    [{ cause: "deleted", actor: "alice", confidence: "certain" }, "deleted by alice"],
    [{ cause: "exited", ...ref, exitCode: 3 }, "exit code 3"],
  ])("%o is %s", (why, name) => {
    expect(nameCause(why)).toBe(name);
  });
});
