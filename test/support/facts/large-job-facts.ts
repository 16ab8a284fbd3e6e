import { createHash } from "node:crypto";
import type { JobObjectFact, PodFact, Stamp } from "../../../src/job/model/fact.ts";
import { decodeJobUid, decodePodUid, type JobUid, type PodUid } from "../../../src/job/model/ids.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";

/**
 * A Job with very many Pods. Pod `number` is created `number` tenths of a second after the Job and succeeds; every
 * hundredth fails.
 */
export const largeJobUid: JobUid = uid(decodeJobUid, "job");

const BEGAN = Date.UTC(2026, 0, 1);

export function largeJobFacts({
  indexed,
  completions,
}: {
  readonly indexed: boolean;
  readonly completions: number;
}): readonly JobObjectFact[] {
  const stamp = { ...stampAt(1, BEGAN), jobUid: largeJobUid };
  const spec = {
    parallelism: 1_000,
    completions,
    completionMode: indexed ? "Indexed" : "NonIndexed",
    backoffLimit: completions,
    suspend: false,
    restartPolicy: "Never",
  };
  const { parallelism, suspend } = spec;
  const mutable = { parallelism, completions, suspend };
  const status = { active: 0, conditions: [], startTime: BEGAN, uncounted: { succeeded: [], failed: [] } };
  return [
    { ...stamp, kind: "JobCreated", namespace: "default", name: "large", createdAt: BEGAN, labels: {} },
    { ...stamp, kind: "JobSpecified", generation: 1, spec },
    { ...stamp, kind: "JobTracked" },
    { ...stamp, kind: "JobReported", generation: 1, status, mutable },
  ];
}

/** The facts of a Pod's start. */
export function podBeginFacts(number: number, index?: number): readonly PodFact[] {
  const createdAt = BEGAN + number * 100;
  const base = { ...stampAt(10 + number * 10, createdAt), jobUid: largeJobUid, podUid: largePodUid(number) };
  const named = { namespace: "default", name: `large-${number.toString(36).padStart(5, "0")}`, createdAt };
  return [
    { ...base, kind: "PodCreated", ...named, containers: ["main"], ...(index === undefined ? {} : { index }) },
    { ...base, kind: "PodTracked" },
  ];
}

/** The facts of a Pod's end. */
export function podEndFacts(number: number): readonly PodFact[] {
  const startedAt = BEGAN + number * 100 + 1_000;
  const finishedAt = startedAt + 20_000 + (number % 7) * 1_000;
  const base = { ...stampAt(15 + number * 10, finishedAt), jobUid: largeJobUid, podUid: largePodUid(number) };
  const failed = number % 100 === 99;
  const end = { container: "main", restartCount: 0, exitCode: failed ? 1 : 0, reason: failed ? "Error" : "Completed" };
  return [
    { ...base, kind: "PodScheduled", node: `node-${number % 50}`, scheduledAt: startedAt },
    { ...base, kind: "PodStarted", startedAt },
    { ...base, kind: "PodTerminated", phase: failed ? "Failed" : "Succeeded", conditions: [], tracked: true },
    { ...base, kind: "ContainerEnded", ...end, startedAt, finishedAt },
  ];
}

function largePodUid(number: number): PodUid {
  return uid(decodePodUid, `pod-${number}`);
}

function stampAt(resourceVersion: number, at: number): Stamp {
  const decoded = decodeResourceVersion(String(resourceVersion));
  if (decoded === undefined) throw new Error(`${resourceVersion} is no resourceVersion.`);
  return { epoch: 0, resourceVersion: decoded, at };
}

/** A uid of the API server's form, the same for the same seed. */
function uid<Uid>(decode: (text: string) => Uid | undefined, seed: string): Uid {
  const hex = createHash("md5").update(seed).digest("hex");
  const text = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  const decoded = decode(text);
  if (decoded === undefined) throw new Error(`${text} is no uid.`);
  return decoded;
}
