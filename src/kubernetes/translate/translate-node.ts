import {
  type ClusterFact,
  NODE_LIFECYCLE_TYPES,
  type NodeLifecycle,
  type NodeObserved,
  type Stamp,
} from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import { NODE_LABELS } from "../../job/usage/node-labels.ts";
import { cutText, MAX_TAINTS } from "./bounds.ts";
import { latestTransition, type RawCondition, readConditions } from "./condition.ts";
import { fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isProblems, latestOfMetadata, type Metadata, readMetadata } from "./metadata.ts";
import { type ChangeType, ignored, type TranslateOptions, type Translated } from "./translated.ts";

/** The readiness, taints, labels, lifecycle and deletion of a Node. `at` ignores heartbeats, which change nothing. */
export function translateNode(type: ChangeType, node: JsonObject, options: TranslateOptions): Translated {
  if ((textOf(node["apiVersion"]) ?? "v1") !== "v1") return ignored("The API version of the Node is not v1.");
  const metadata = readMetadata(node, "cluster");
  if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
  const conditions = readConditions(fieldsOf(node["status"]));
  const stamp: Stamp = {
    epoch: options.epoch,
    resourceVersion: metadata.resourceVersion,
    at: Math.max(latestOfMetadata(metadata), latestTransition(conditions)),
  };
  const { name, uid: nodeUid } = metadata;
  const observed: NodeObserved = {
    ...stamp,
    kind: "NodeObserved",
    node: name,
    nodeUid,
    ...readinessOf(conditions, metadata.createdAt ?? stamp.at),
    ...schedulingOf(fieldsOf(node["spec"])),
    ...labelsOf(metadata, stamp.at),
    ...lifecycleOf(conditions),
  };
  const facts: ClusterFact[] = [observed];
  if (type === "DELETED") facts.push({ ...stamp, kind: "NodeDeleted", node: name, nodeUid });
  return { outcome: "translated", facts };
}

/** `since` is the last transition of condition Ready, or `otherwise` if the condition has none. */
function readinessOf(
  conditions: readonly RawCondition[],
  otherwise: Instant,
): Pick<NodeObserved, "ready" | "since" | "reason"> {
  const readiness = conditions.find(({ type }) => type === "Ready");
  const ready = readiness?.status;
  const reason = readiness?.reason;
  return {
    ready: ready === "True" || ready === "False" ? ready : "Unknown",
    since: readiness?.lastTransitionAt ?? otherwise,
    ...(reason !== undefined && { reason: cutText(reason) }),
  };
}

/** Conditions that are False are kept too: their transition is the end of what was done. */
function lifecycleOf(conditions: readonly RawCondition[]): Pick<NodeObserved, "lifecycle"> {
  const lifecycle = NODE_LIFECYCLE_TYPES.flatMap((type): readonly NodeLifecycle[] => {
    const { status, reason, lastTransitionAt } = conditions.find((condition) => condition.type === type) ?? {};
    if (lastTransitionAt === undefined || (status !== "True" && status !== "False")) return [];
    return [{ type, status, since: lastTransitionAt, ...(reason !== undefined && { reason: cutText(reason) }) }];
  });
  return lifecycle.length === 0 ? {} : { lifecycle };
}

function schedulingOf(spec: JsonObject): Pick<NodeObserved, "unschedulable" | "taints"> {
  const taints = itemsOf(spec["taints"]).slice(0, MAX_TAINTS).map(fieldsOf).map(taintText);
  return {
    ...(spec["unschedulable"] === true && { unschedulable: true }),
    ...(taints.length > 0 && { taints }),
  };
}

/** A taint as kubectl writes it: `key=value:effect`. */
function taintText(taint: JsonObject): string {
  const value = textOf(taint["value"]);
  const key = textOf(taint["key"]) ?? "";
  return cutText(`${key}${value === undefined ? "" : `=${value}`}:${textOf(taint["effect"]) ?? ""}`);
}

/** Only the labels that set a price leave the cluster. */
function labelsOf({ fields, createdAt }: Metadata, otherwise: Instant): Pick<NodeObserved, "labels" | "createdAt"> {
  const given = fieldsOf(fields["labels"]);
  const labels: Record<string, string> = {};
  for (const key of NODE_LABELS) {
    const value = textOf(given[key]);
    if (value !== undefined) labels[key] = cutText(value);
  }
  return Object.keys(labels).length === 0 ? {} : { labels, createdAt: createdAt ?? otherwise };
}
