import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { PodCause, PodCauseName } from "../../../src/job/cause/pod-cause.ts";
import {
  type CauseSigns,
  PLATFORM,
  type Responsibility,
  responsibilityOf,
} from "../../../src/job/cause/responsibility.ts";
import type {
  ImageProblem,
  SchedulingObstacle,
  StartProblem,
  VolumeProblem,
} from "../../../src/job/model/message-details.ts";

const work = { container: "work", role: "main" } as const;
const PERSON: Responsibility = { responsible: "person", retry: "unknown" };
const REPLACED: Responsibility = { responsible: "configuration", retry: "pointless" };

const image = (reason: string, problem?: ImageProblem): PodCause => ({
  cause: "imageNotPulled",
  ...work,
  reason,
  ...(problem && { problem }),
  since: 0,
});
const start = (problem?: StartProblem): PodCause => ({
  cause: "containerNotStarted",
  ...work,
  reason: "StartError",
  ...(problem && { details: { about: "start", problem } }),
});
const volume = (problem?: VolumeProblem, reason = "FailedMount"): PodCause => ({
  cause: "volumeNotMounted",
  reason,
  ...(problem && { details: { about: "volume", problem } }),
  since: 0,
});
const sandbox = (problem?: StartProblem): PodCause => ({
  cause: "sandboxFailed",
  reason: "FailedCreatePodSandBox",
  ...(problem && { details: { about: "start", problem } }),
  since: 0,
});
const unscheduled = (...causes: readonly SchedulingObstacle[]): PodCause => ({
  cause: "notScheduled",
  reason: "Unschedulable",
  details: { about: "scheduling", nodes: causes.length, causes: causes.map((cause) => ({ cause, nodes: 1 })) },
  since: 0,
});
const refused = (by: "quota" | "webhook" | "unavailable" | "namespaceTerminating", more = {}): PodCause => ({
  cause: "refused",
  times: 1,
  details: { about: "refusal", by, ...more },
});
const kubelet = (reason: string, hadRun = false): PodCause => ({ cause: "refusedByNode", reason, hadRun });
const exited = (exitCode: number, more = {}): PodCause => ({ cause: "exited", ...work, exitCode, ...more });
const deleted: PodCause = { cause: "deleted", actor: "alice", confidence: "certain" };
const GPU = { unhealthy: { resource: "nvidia.com/gpu", device: "GPU-1" } };
const missing = { about: "missing", object: "Secret" } as const;
const nodeLost: PodCause = { cause: "nodeLost", node: "node-a" };

type Case = readonly [PodCause, CauseSigns?];

const WRONG_IMAGES = ["notFound", "unauthorized", "invalidName", "noMatchingPlatform", "notPresent"] as const;
const NO_IMAGES = ["unreachable", "timeout", "rateLimited", "diskFull"] as const;
const WRONG_STARTS: readonly StartProblem[] = [
  "programNotFound",
  "permissionDenied",
  "wrongFormat",
  "noCommand",
  "runsAsRoot",
  "mountFailed",
  "workingDir",
  "profileMissing",
  "limitTooLow",
  "variableMissing",
  "noRuntimeHandler",
  "unsupported",
  "userMissing",
];
const NO_STARTS: readonly StartProblem[] = [
  "timeout",
  "network",
  "nameInUse",
  "diskFull",
  "device",
  "sandboxImage",
  "noAddress",
  "runtimeUnavailable",
];
const WRONG_VOLUMES = ["driverMissing", "pathMissing", "accessDenied"] as const;
const NO_VOLUMES = ["timeout", "inUse", "attachFailed", "mountFailed", "notRegistered"] as const;
const NO_NODES = ["nodeSelector", "taint", "volume", "volumeUnbound", "volumeMissing"] as const;
const EVICTIONS = ["nodePressure", "evictionApi", "taint", "nodeShutdown", "unknown"] as const;
const NO_ROOM = ["cordoned", "podAffinity", "topologySpread", "hostPort", "resourceClaim"] as const;
const each = <Problem>(problems: readonly Problem[], causeOf: (problem: Problem) => PodCause): readonly Case[] =>
  problems.map((problem) => [causeOf(problem)]);

/** Examples of each row of the documented table, in its order. */
const ROWS: readonly (readonly [string, readonly Case[]])[] = [
  ["OOMKilled", [[{ cause: "outOfMemory", ...work, exitCode: 137, memoryLimit: "1Gi" }]]],
  ["OOMKilled", [[{ cause: "outOfMemory", ...work, exitCode: 137 }]]],
  [
    "image not pulled",
    [
      ...each(WRONG_IMAGES, (problem) => image("ErrImagePull", problem)),
      ...each(["InvalidImageName", "ErrImageNeverPull", "SignatureValidationFailed"], (reason) => image(reason)),
    ],
  ],
  [
    "image not pulled",
    [...each(NO_IMAGES, (problem) => image("ErrImagePull", problem)), [image("RegistryUnavailable")]],
  ],
  ["image not pulled", [[image("ErrImagePull")], [image("ImagePullBackOff")]]],
  ["container not started", [[{ cause: "containerNotStarted", ...work, reason: "x", details: missing }]]],
  ["container not started", [...each(WRONG_STARTS, start), [start()]]],
  ["container not started", each(NO_STARTS, start)],
  ["exit code 126 or 127", [[exited(126)], [exited(127)], [exited(127, { signal: 0 }), { isFinalByPolicy: true }]]],
  [
    "volume not mounted",
    [
      ...each(WRONG_VOLUMES, (problem) => volume(problem)),
      [{ cause: "volumeNotMounted", reason: "FailedMount", details: missing, since: 0 }],
    ],
  ],
  [
    "volume not mounted",
    [...each(NO_VOLUMES, (problem) => volume(problem)), [volume(undefined, "FailedAttachVolume")]],
  ],
  ["volume not mounted", [[volume()]]],
  ["sandbox failed", [[sandbox()], [sandbox("network")]]],
  ["sandbox failed", [[sandbox("noRuntimeHandler")], [sandbox("unsupported")]]],
  [
    "never scheduled",
    [...each(NO_NODES, (cause) => unscheduled(cause)), [unscheduled("taint", "nodeSelector"), { hadNode: true }]],
  ],
  ["never scheduled", [[unscheduled("insufficient", "taint")]]],
  ["never scheduled", [[unscheduled("insufficient", "taint"), { hadNode: true }]]],
  ["never scheduled", [...each(NO_ROOM, (cause) => unscheduled(cause)), [unscheduled("cordoned", "taint")]]],
  ["never scheduled", [[unscheduled()]]],
  ["never scheduled", [[unscheduled("podGroupMissing")]]],
  [
    "never scheduled",
    [
      [{ cause: "notScheduled", reason: "SchedulingGated", gates: ["example.com/wait"], since: 0 }],
      [{ cause: "notScheduled", reason: "Unschedulable", since: 0 }],
      [unscheduled("other", "taint")],
    ],
  ],
  ["no Pod created", [[refused("quota")], [refused("webhook")], [{ cause: "refused", times: 2 }]]],
  ["no Pod created", [[refused("webhook", { unreachable: true })], [refused("unavailable")]]],
  ["no Pod created", [[refused("namespaceTerminating")]]],
  ["preempted", [[{ cause: "preempted" }]]],
  ["evicted", each(EVICTIONS, (by) => ({ cause: "evicted", by }))],
  ["evicted", [[{ cause: "evicted", by: "ownLimit", resource: "ephemeral-storage" }]]],
  ["refused by the kubelet", [[kubelet("OutOfcpu")], [kubelet("NodeAffinity", true)]]],
  [
    "refused by the kubelet",
    [
      ...each(["SysctlForbidden", "AppArmor", "PodOSNotSupported"], (reason) => kubelet(reason)),
      [kubelet("NodeAffinity")],
    ],
  ],
  ["node lost", [[nodeLost]]],
  ["node lost", [[nodeLost, { isNodeUnfit: true }]]],
  ["outcome lost", [[{ cause: "outcomeLost", by: "runtime" }], [{ cause: "outcomeLost", by: "kubelet" }]]],
  ["probe failed", [[{ cause: "probeFailed", ...work, probe: "liveness", exitCode: 137 }]]],
  ["hook failed", [[{ cause: "probeFailed", ...work, probe: "postStart", exitCode: 137 }]]],
  ["Pod deadline", [[{ cause: "podDeadline", seconds: 6 }]]],
  ["Job deadline", []],
  [
    "deleted",
    [
      [deleted, { deletion: PERSON }],
      [{ cause: "outcomeLost", by: "deletion" }, { deletion: PERSON }],
    ],
  ],
  ["deleted", [[deleted, { deletion: PLATFORM }]]],
  ["deleted", [[deleted, { deletion: REPLACED }]]],
  ["deleted", [[deleted], [{ cause: "outcomeLost", by: "deletion" }]]],
  ["exit code", [[exited(1)], [exited(139)], [exited(143, { signal: 11 })], [exited(1), { wasNodeUnready: true }]]],
  ["exit code", [[exited(42), { isFinalByPolicy: true }]]],
  ["exit code", [[exited(1, GPU)], [exited(137, GPU)], [exited(1, GPU), { isFinalByPolicy: true }]]],
  ["killed by SIGKILL or SIGTERM", [[exited(137), { wasNodeUnready: true }]]],
  ["killed by SIGKILL or SIGTERM", [[exited(137)], [exited(143)], [exited(1, { signal: 9 })]]],
];

const documented = readFileSync(new URL("../../../docs/answers/responsibility.md", import.meta.url), "utf8")
  .split(/^## /m)
  .find((section) => section.startsWith("The table"))
  ?.split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .slice(1)
  .map(([, what = "", evidence = "", responsible = "", retry = ""]) => ({ what, evidence, responsible, retry }));

describe("the documented table of responsibility", () => {
  it("has a row for each of these examples, and an example for each row", () => {
    expect(documented?.map(({ what }) => what)).toEqual(ROWS.map(([what]) => what));
  });

  it.each(ROWS.map(([, cases], row) => ({ ...documented?.[row], cases })))(
    "$what ($evidence): $responsible, $retry",
    ({ cases, responsible, retry }) => {
      const expected = cases.map(() => ({ responsible, retry }));
      expect(cases.map(([why, signs = {}]) => responsibilityOf(why, signs))).toEqual(expected);
    },
  );

  it("has every cause", () => {
    const every: Record<PodCauseName, true> = {
      outOfMemory: true,
      imageNotPulled: true,
      containerNotStarted: true,
      volumeNotMounted: true,
      sandboxFailed: true,
      notScheduled: true,
      refused: true,
      preempted: true,
      evicted: true,
      refusedByNode: true,
      probeFailed: true,
      nodeLost: true,
      outcomeLost: true,
      podDeadline: true,
      deleted: true,
      exited: true,
    };
    const shown = ROWS.flatMap(([, cases]) => cases.map(([{ cause }]) => cause));
    expect(new Set(shown)).toEqual(new Set(Object.keys(every)));
  });
});

describe("an unfit node", () => {
  it.each<[string, PodCause, string]>([
    ["asks for another node after an eviction", { cause: "evicted", by: "nodePressure" }, "other-node"],
    ["asks for another node after a preemption", { cause: "preempted", node: "node-a" }, "other-node"],
    ["is no reason for a failure of the program", exited(1), "unknown"],
    ["is no reason for a missing image", image("InvalidImageName"), "after-a-fix"],
  ])("%s", (_, why, retry) => {
    expect(responsibilityOf(why, { isNodeUnfit: true }).retry).toBe(retry);
  });
});

describe("a memory limit that an eviction names", () => {
  it("asks for more memory", () => {
    const why = { cause: "evicted", by: "ownLimit", resource: "memory" } as const;
    expect(responsibilityOf(why, {})).toEqual({ responsible: "limit", retry: "more-memory" });
  });
});
