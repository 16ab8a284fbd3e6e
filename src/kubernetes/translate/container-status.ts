import type { ContainerEnded, UnhealthyDevice } from "../../job/model/fact.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { compareText } from "../../job/model/compare-text.ts";
import { cutText, MAX_CONTAINERS, MAX_DEVICES, MAX_INT32 } from "./bounds.ts";
import type { RawMessage } from "../message/kept-message.ts";
import { countOf, fieldsOf, isObject, itemsOf, type JsonObject, textOf, wholeOf } from "../json/json-field.ts";
import { imageDigestOf } from "./image-hash.ts";
import { reasonOf } from "../message/reason.ts";

/** One entry of `status.containerStatuses` or `status.initContainerStatuses`. */
export interface ContainerStatus {
  readonly name: string;
  readonly init: boolean;
  readonly restartCount: number;
  readonly isRunning: boolean;
  readonly runningSince: Instant | undefined;
  readonly waiting: (RawMessage & { readonly reason: string }) | undefined;
  /** `state.terminated`: the end of the current run. */
  readonly ended: Termination | undefined;
  /** `lastState.terminated`: the end of the previous run. */
  readonly endedBefore: Termination | undefined;
  /** Of the image of the current run. */
  readonly image: Pick<ContainerEnded, "imageDigest">;
  readonly unhealthy: readonly Omit<UnhealthyDevice, "container">[];
}

export interface Termination {
  readonly exitCode: number;
  readonly signal: number | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** Recordings contain details in place of the message. */
  readonly details: unknown;
  readonly startedAt: Instant | undefined;
  readonly finishedAt: Instant | undefined;
}

/** The init containers, then the others; at most {@link MAX_CONTAINERS} of each. */
export function readContainerStatuses(status: JsonObject): readonly ContainerStatus[] {
  const containers: ContainerStatus[] = [];
  addStatuses(containers, status["initContainerStatuses"], true);
  addStatuses(containers, status["containerStatuses"], false);
  return containers;
}

export function latestOfContainers(containers: readonly ContainerStatus[]): Instant {
  let latest = 0;
  for (const { runningSince, ended, endedBefore } of containers) {
    latest = Math.max(latest, runningSince ?? 0, latestOfEnd(ended), latestOfEnd(endedBefore));
  }
  return latest;
}

function latestOfEnd(end: Termination | undefined): Instant {
  return Math.max(end?.startedAt ?? 0, end?.finishedAt ?? 0);
}

function addStatuses(containers: ContainerStatus[], statuses: unknown, init: boolean): void {
  for (const item of itemsOf(statuses).slice(0, MAX_CONTAINERS)) {
    const fields = fieldsOf(item);
    const name = textOf(fields["name"]);
    if (name === undefined) continue;
    const state = fieldsOf(fields["state"]);
    containers.push({
      name: cutText(name),
      init,
      restartCount: Math.min(MAX_INT32, countOf(fields["restartCount"]) ?? 0),
      isRunning: isObject(state["running"]),
      runningSince: startOf(fieldsOf(state["running"])["startedAt"]),
      waiting: readWaiting(state["waiting"]),
      ended: readTermination(state["terminated"]),
      endedBefore: readTermination(fieldsOf(fields["lastState"])["terminated"]),
      image: imageDigestOf(fields["imageID"]),
      unhealthy: readUnhealthyDevices(fields),
    });
  }
}

function readWaiting(waiting: unknown): ContainerStatus["waiting"] {
  const fields = fieldsOf(waiting);
  const reason = reasonOf(fields["reason"]);
  return reason === undefined ? undefined : { reason, message: textOf(fields["message"]), details: fields["details"] };
}

/** A missing exit code means 0, as in every Kubernetes client. */
function readTermination(terminated: unknown): Termination | undefined {
  if (!isObject(terminated)) return undefined;
  const exitCode = wholeOf(terminated["exitCode"] ?? 0);
  if (exitCode === undefined) return undefined;
  return {
    exitCode,
    signal: unlessZero(wholeOf(terminated["signal"])),
    reason: reasonOf(terminated["reason"]),
    message: textOf(terminated["message"]),
    details: terminated["details"],
    startedAt: startOf(terminated["startedAt"]),
    finishedAt: startOf(terminated["finishedAt"]),
  };
}

/** Runtimes write 1970-01-01T00:00:00Z for a container that never started. */
function startOf(text: unknown): Instant | undefined {
  return unlessZero(parseInstant(text));
}

function unlessZero(number: number | undefined): number | undefined {
  return number === 0 ? undefined : number;
}

/** Ids of device plugins (`GPU-fef8089b`) and of DRA (`DRIVER/POOL/DEVICE`), and names of resources and claims. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._:/-]{0,253}[A-Za-z0-9])?$/;

/** The devices in `allocatedResourcesStatus` of a container that are Unhealthy, not Unknown (KEP-4680). */
function readUnhealthyDevices(status: JsonObject): readonly Omit<UnhealthyDevice, "container">[] {
  return itemsOf(status["allocatedResourcesStatus"]).flatMap((item) => {
    const { name, resources } = fieldsOf(item);
    const resource = textOf(name) ?? "";
    if (!NAME.test(resource)) return [];
    const unhealthy = itemsOf(resources)
      .map(fieldsOf)
      .filter(({ health }) => health === "Unhealthy");
    const ids = unhealthy.flatMap(({ resourceID }) => textOf(resourceID) ?? []);
    return ids.filter((id) => NAME.test(id)).map((device) => ({ resource, device }));
  });
}

/** Those of all containers. The kubelet lists devices in any order. */
export function unhealthyDevices(containers: readonly ContainerStatus[]): {
  readonly unhealthy?: readonly UnhealthyDevice[];
} {
  const all = containers.flatMap(({ name, unhealthy }) => unhealthy.map((device) => ({ container: name, ...device })));
  if (all.length === 0) return {};
  const sorted = all.sort((a, b) => compareText(keyOf(a), keyOf(b)));
  return { unhealthy: sorted.slice(0, MAX_DEVICES) };
}

function keyOf({ container, resource, device }: UnhealthyDevice): string {
  return `${container} ${resource} ${device}`;
}
