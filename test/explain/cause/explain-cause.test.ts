import { describe, expect, it } from "vitest";
import {
  causeText,
  countedBriefly,
  countedText,
  otherCausesText,
  presentCause,
  remediesForCause,
  remediesForCauses,
} from "../../../src/explain/cause/explain-cause.ts";
import type { Cause, CauseShare, CauseShows } from "../../../src/job/cause/cause.ts";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
import { evidenceOf, POD } from "../../support/story/explained.ts";

const work = { container: "work", role: "main" } as const;
const exited: PodCause = { cause: "exited", ...work, exitCode: 1 };
const oom: PodCause = { cause: "outOfMemory", ...work, exitCode: 137 };
const preempted: PodCause = { cause: "preempted" };

function shareOf(why: PodCause, more: Partial<CauseShare> = {}): CauseShare {
  return { why, attempts: 1, restarts: 0, counted: 1, ignored: 0, ignoredBy: [], ...more };
}

function causeOf(shares: readonly CauseShare[], more: Partial<Cause> = {}): Cause {
  const unsuccessful = shares.reduce((sum, { attempts }) => sum + attempts, 0);
  const named = { pods: [POD], podCount: 1, evidence: [] };
  const who = { responsible: "program", retry: "unknown" } as const;
  return { ...(shares[0] ?? shareOf(exited)), ...who, decides: false, unsuccessful, shares, ...named, ...more };
}

describe("a cause and how often it occurred", () => {
  it.each<[string, Cause, string]>([
    ["once", causeOf([shareOf(exited)]), "container work exited with code 1"],
    [
      "in all attempts",
      causeOf([shareOf(exited, { attempts: 3 })]),
      "container work exited with code 1 in 3 of 3 attempts",
    ],
    [
      "in place only",
      causeOf([shareOf(oom, { attempts: 0, restarts: 2 })]),
      "OOMKilled: container work exceeded its memory limit; 2 restarts in place",
    ],
    [
      "among others",
      causeOf([shareOf(oom), shareOf(exited, { attempts: 2 })]),
      "OOMKilled: container work exceeded its memory limit once, then container work exited with code 1 twice",
    ],
    [
      "among others that did not decide",
      causeOf([shareOf(exited), shareOf(oom, { attempts: 2 })], { decides: true }),
      "container work exited with code 1 in 1 of 3 attempts",
    ],
    [
      "before any Pod",
      causeOf([shareOf({ cause: "refused", times: 2 }, { attempts: 0 })]),
      "FailedCreate: no Pod could be created, the API server refuses to create them (2 times)",
    ],
  ])("%s", (_, cause, text) => {
    expect(causeText(cause)).toBe(text);
  });

  it("names the others only where one decided", () => {
    const shares = [shareOf(exited), shareOf(oom, { attempts: 2 })];
    expect(otherCausesText(causeOf(shares, { decides: true }))).toBe(
      "other attempts: OOMKilled: container work exceeded its memory limit (2)",
    );
    expect(otherCausesText(causeOf(shares))).toBe("");
  });
});

describe("how Kubernetes counts the attempts", () => {
  it.each<[string, Cause, string, string]>([
    ["a failure as usual", causeOf([shareOf(exited)]), "", ""],
    ["a disruption", causeOf([shareOf(preempted)]), "counted against backoffLimit", "counted against backoffLimit"],
    [
      "a disruption that is replaced without being counted",
      causeOf([shareOf(preempted, { counted: 0 })]),
      "not counted against backoffLimit",
      "not counted against backoffLimit",
    ],
    [
      "a deletion",
      causeOf([shareOf({ cause: "deleted", actor: "alice", confidence: "certain" })]),
      "counted against backoffLimit",
      "counted against backoffLimit",
    ],
    [
      "a failure that a rule ignores",
      causeOf([shareOf(preempted, { counted: 0, ignored: 1, ignoredBy: [0] })]),
      "not counted: Ignore rule at index 0 of podFailurePolicy",
      "not counted (Ignore rule at index 0)",
    ],
    [
      "failures that two rules ignore, among others",
      causeOf([
        shareOf(preempted, { ignored: 1, ignoredBy: [2] }),
        shareOf(exited, { attempts: 2, ignored: 1, ignoredBy: [0] }),
      ]),
      "2 of 3 not counted: Ignore rule at index 0 and 2 of podFailurePolicy",
      "2 not counted (Ignore rule at index 0 and 2)",
    ],
    ["runs in place", causeOf([shareOf(preempted, { attempts: 0, restarts: 1 })]), "", ""],
  ])("%s", (_, cause, full, brief) => {
    expect(countedText(cause)).toBe(full);
    expect(countedBriefly(cause)).toBe(brief);
  });
});

function lacking(cause: "volumeMissing" | "volumeUnbound" | "podGroupIncomplete"): PodCause {
  return {
    cause: "notScheduled",
    reason: "Unschedulable",
    details: { about: "scheduling", causes: [{ cause }] },
    since: 0,
  };
}

describe("the remedies of a cause", () => {
  it.each<[PodCause, RegExp]>([
    [oom, /memory limit/],
    [{ ...oom, podMemoryLimit: "64Mi" }, /^Raise the Pod's memory limit, or/],
    [{ ...oom, memoryLimit: "32Mi", podMemoryLimit: "64Mi" }, /^Raise the Pod's memory limit and the container's, or/],
    [lacking("podGroupIncomplete"), /^Create the PodGroup/],
    [{ cause: "notScheduled", reason: "NotReadyForScheduling", since: 0 }, /^Provide what the Pod waits for/],
    [{ cause: "evicted", by: "deviceTaint" }, /tolerate the device's taint.*ignore DisruptionTarget/],
    [{ cause: "imageNotPulled", ...work, reason: "ErrImagePull", since: 0 }, /image's name and tag/],
    [{ cause: "imageNotPulled", ...work, reason: "InvalidImageName", since: 0 }, /not a valid reference/],
    [{ cause: "imageNotPulled", ...work, reason: "ErrImageNeverPull", since: 0 }, /imagePullPolicy/],
    [{ cause: "containerNotStarted", ...work, reason: "StartError" }, /needs to start/],
    [{ cause: "volumeNotMounted", reason: "FailedMount", since: 0 }, /volume/],
    [{ cause: "notScheduled", reason: "Unschedulable", since: 0 }, /add nodes/],
    [{ cause: "notScheduled", reason: "SchedulingGated", gates: ["a/b"], since: 0 }, /scheduling gate/],
    [lacking("volumeMissing"), /^Create the PersistentVolumeClaim/],
    [lacking("volumeUnbound"), /^Bind the PersistentVolumeClaim/],
    [{ cause: "refused", times: 1, details: { about: "refusal", by: "priorityClass" } }, /PriorityClass/],
    [{ cause: "refused", times: 1, details: { about: "refusal", by: "runtimeClass" } }, /RuntimeClass/],
    [{ cause: "refused", times: 1 }, /kubectl describe job/],
    [{ cause: "refused", times: 1, details: { about: "refusal", by: "quota" } }, /ResourceQuota/],
    [{ cause: "refused", times: 1, details: { about: "refusal", by: "serviceAccount" } }, /ServiceAccount/],
    [preempted, /ignore DisruptionTarget/],
    [{ cause: "evicted", by: "nodePressure", resource: "memory" }, /Request as much memory/],
    [{ cause: "evicted", by: "ownLimit", resource: "ephemeral-storage" }, /limit of ephemeral-storage/],
    [{ cause: "evicted", by: "evictionApi" }, /ignore DisruptionTarget/],
    [{ cause: "nodeLost" }, /ignore DisruptionTarget/],
    [{ cause: "refusedByNode", reason: "OutOfcpu", hadRun: false }, /kubelet refused/],
    [{ cause: "probeFailed", probe: "liveness", ...work, exitCode: 137 }, /probe or hook/],
    [{ cause: "outcomeLost", by: "runtime" }, /safe to run twice/],
    [{ cause: "podDeadline" }, /activeDeadlineSeconds of the Pod template/],
    [exited, /Read the log/],
    [
      { ...exited, unhealthy: { resource: "nvidia.com/gpu", device: "GPU-1" } },
      /Have device GPU-1 checked.*Read the log/,
    ],
    [{ ...exited, exitCode: 127 }, /command: the shell did not find it/],
    [{ ...exited, exitCode: 137 }, /what sent the signal/],
  ])("%o: %s", (why, remedy) => {
    expect(remediesForCause(why).join(" ")).toMatch(remedy);
  });

  it("are none for a deletion whose actor is known", () => {
    expect(remediesForCause({ cause: "deleted", actor: "alice", confidence: "certain" })).toEqual([]);
  });

  it("are those of every cause, each once, and no policy where nothing was counted", () => {
    const shares = [
      shareOf(preempted, { counted: 0 }),
      shareOf(oom),
      shareOf(exited),
      shareOf({ ...exited, exitCode: 2 }),
    ];
    expect(remediesForCauses(causeOf(shares))).toEqual([
      "Raise the container's memory limit, or reduce what the program needs.",
      "Read the log of the container: its program failed.",
    ]);
  });
});

describe("a cause in an answer", () => {
  it.each<[CauseShows, string]>([
    [{ what: "podEnded", phase: "Failed", exitCode: 1 }, "failed with exit code 1"],
    [{ what: "waited", container: "work", reason: "ErrImagePull" }, "waited: container work, ErrImagePull"],
    [{ what: "unscheduled", reason: "Unschedulable" }, "had no node: Unschedulable"],
    [
      { what: "unhealthy", container: "work", resource: "nvidia.com/gpu", device: "GPU-1" },
      "had device GPU-1 (nvidia.com/gpu) of container work reported Unhealthy",
    ],
    [{ what: "event", reason: "FailedCreate", times: 1 }, "had Event FailedCreate"],
    [{ what: "event", reason: "FailedCreate", times: 3 }, "had Event FailedCreate, 3 times"],
  ])("shows %o as: %s", (shows, detail) => {
    const { evidence } = presentCause(causeOf([shareOf(exited)], { evidence: [evidenceOf(shows)] }));
    expect(evidence.map((ref) => ref.detail)).toEqual([detail]);
  });

  it("has its category, its counts and its Pods, if it has any", () => {
    const { evidence: _, ...cause } = presentCause(causeOf([shareOf(oom, { attempts: 2, counted: 1 })]));
    const message = "OOMKilled: container work exceeded its memory limit in 2 of 2 attempts";
    const who = { responsible: "program", retry: "unknown" };
    expect(cause).toEqual({ category: "oom", ...who, message, attempts: 2, counted: 1, pods: [POD] });
    expect(presentCause(causeOf([shareOf(oom)], { pods: [] }))).not.toHaveProperty("pods");
  });
});
