import type { ProbeKind } from "../../job/model/message-details.ts";
import { isLabel, isResourceName, type ParseMessage } from "./message-grammar.ts";

// Why the kubelet ends containers or Pods that it runs, or refuses a Pod.

const CONDITIONS: ReadonlyMap<string, string> = new Map([
  ["MemoryPressure", "memory"],
  ["DiskPressure", "ephemeral-storage"],
  ["PIDPressure", "pids"],
]);
const SHORT = new Set(["inodes", "pids", "nodefs", "imagefs", "containerfs"]);

/** Why the kubelet evicted a Pod: "The node was low on resource: memory. ...", or a limit of the Pod's own storage. */
export const parseEvictionMessage: ParseMessage = (message) => {
  const text = message.replace(REJECTED, "");
  const named = /^The node was low on resource: ([a-zA-Z0-9./-]+?)\./.exec(text)?.[1];
  if (named !== undefined) return isKnown(named) ? { about: "eviction", resource: named } : undefined;
  const condition = CONDITIONS.get(/^The node had condition: \[(\w+)/.exec(text)?.[1] ?? "");
  if (condition !== undefined) return { about: "eviction", resource: condition };
  const isOwn = /ephemeral (?:local )?storage .*limit|^Usage of EmptyDir volume .* exceeds the limit/s.test(text);
  return isOwn ? { about: "eviction", resource: "ephemeral-storage", ownLimit: true } : undefined;
};

/** The kubelet's prefix for a Pod that it does not admit; "Pod " in earlier releases. */
const REJECTED = /^Pod (?:was rejected: )?(?=The )/;

/**
 * Why the kubelet refused a Pod: "Node didn't have enough resource: cpu, requested: 900, used: 300, capacity: 1000", or
 * "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0".
 */
export const parseNodeRefusalMessage: ParseMessage = (message) => {
  const resource = /(?:enough resource:|devices unavailable for) ([a-zA-Z0-9./-]+?)[,.](?: |$)/.exec(message)?.[1];
  return resource !== undefined && isKnown(resource) ? { about: "eviction", resource } : undefined;
};

function isKnown(resource: string): boolean {
  return SHORT.has(resource) || isResourceName(resource);
}

const PROBES: ReadonlyMap<string, ProbeKind> = new Map([
  ["liveness", "liveness"],
  ["startup", "startup"],
  ["readiness", "readiness"],
]);

/** The Event Unhealthy: "Liveness probe failed: ...". The output of the probe is left out. */
export const parseUnhealthyMessage: ParseMessage = (message) => {
  const probe = PROBES.get(
    /^(Liveness|Startup|Readiness) probe (?:failed|errored)/.exec(message)?.[1]?.toLowerCase() ?? "",
  );
  return probe === undefined ? undefined : { about: "probe", probe };
};

/** The Event Killing: "Container work failed liveness probe, will be restarted". */
export const parseKillingMessage: ParseMessage = (message) => {
  const [, name = "", kind = ""] = /^Container (\S+) failed (liveness|startup) probe/.exec(message) ?? [];
  const probe = PROBES.get(kind);
  if (probe !== undefined) return { about: "probe", probe, ...(isLabel(name) && { container: name }) };
  return /^FailedPostStartHook|failed post-?start hook/i.test(message)
    ? { about: "probe", probe: "postStart" }
    : undefined;
};

/** The Events of lifecycle hooks. Their reasons name the hook, and their messages contain its command. */
export const parsePostStartMessage: ParseMessage = () => ({ about: "probe", probe: "postStart" });
export const parsePreStopMessage: ParseMessage = () => ({ about: "probe", probe: "preStop" });
