import type { ClusterFact, NodeObserved, Stamp } from "../../job/model/fact.ts";
import { cutText, MAX_TAINTS } from "./bounds.ts";
import { latestTransition, type RawCondition, readConditions } from "./condition.ts";
import { fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isProblems, latestOfMetadata, type Metadata, readMetadata } from "./metadata.ts";
import { type ChangeType, ignored, type TranslateOptions, type Translated } from "./translated.ts";

/** How a Node stood, and that it is gone where it is. Heartbeats are left out of `at`: they say nothing new of the Node. */
export function translateNode(type: ChangeType, node: JsonObject, options: TranslateOptions): Translated {
  if ((textOf(node["apiVersion"]) ?? "v1") !== "v1") return ignored("The Node is not one of v1.");
  const metadata = readMetadata(node, "cluster");
  if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
  const conditions = readConditions(fieldsOf(node["status"]));
  const stamp: Stamp = {
    epoch: options.epoch,
    resourceVersion: metadata.resourceVersion,
    at: Math.max(latestOfMetadata(metadata), latestTransition(conditions)),
  };
  const facts: ClusterFact[] = [nodeObserved(stamp, metadata, conditions, fieldsOf(node["spec"]))];
  if (type === "DELETED") facts.push({ ...stamp, kind: "NodeDeleted", node: metadata.name, nodeUid: metadata.uid });
  return { outcome: "translated", facts };
}

function nodeObserved(
  stamp: Stamp,
  metadata: Metadata,
  conditions: readonly RawCondition[],
  spec: JsonObject,
): NodeObserved {
  const readiness = conditions.find(({ type }) => type === "Ready");
  const ready = readiness?.status;
  const reason = readiness?.reason;
  const taints = itemsOf(spec["taints"]).slice(0, MAX_TAINTS).map(fieldsOf).map(taintText);
  return {
    ...stamp,
    kind: "NodeObserved",
    node: metadata.name,
    nodeUid: metadata.uid,
    ready: ready === "True" || ready === "False" ? ready : "Unknown",
    since: readiness?.lastTransitionAt ?? metadata.createdAt ?? stamp.at,
    ...(reason !== undefined && { reason: cutText(reason) }),
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
