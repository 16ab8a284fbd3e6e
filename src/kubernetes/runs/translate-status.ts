import type { ParentCondition, ParentDeleted, ParentObserved } from "../../job/model/fact.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { statusOf } from "../../parents/status/statuses.ts";
import type { WatchedStatus } from "../../parents/status/watched-status.ts";
import { fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { cutText, MAX_CONDITIONS } from "../translate/bounds.ts";
import { latestTransition, type RawCondition, readConditions } from "../translate/condition.ts";
import { lineageKeys } from "../translate/lineage-marks.ts";
import { isProblems, latestOfMetadata, type Metadata, readMetadata } from "../translate/metadata.ts";
import { ownerOf } from "../translate/owner-reference.ts";

/** What a watch event says about an object that Jobs belong to. Empty for other kinds, and for what cannot be read. */
export function translateStatus(event: unknown): readonly (ParentObserved | ParentDeleted)[] {
  const { type, object } = fieldsOf(event);
  // A bare object is that of a list.
  const fields = fieldsOf(object ?? event);
  const of = statusOf(textOf(fields["kind"]) ?? "");
  // `Workload` is also a kind of scheduling.k8s.io, and `Job` one of Volcano.
  if (of === undefined || !of.apiVersions.includes(textOf(fields["apiVersion"]) ?? "")) return [];
  const metadata = readMetadata(fields, "namespaced");
  if (isProblems(metadata)) return [];
  const observed = observationOf(of, metadata, fields);
  return type === "DELETED" ? [observed, deletionOf(observed)] : [observed];
}

function observationOf(of: WatchedStatus, metadata: Metadata, object: JsonObject): ParentObserved {
  const conditions = readConditions(fieldsOf(object["status"]));
  const fields = fieldsIn(object, of.fields);
  const instants = (of.instants ?? []).map((name) => parseInstant(fields[name]) ?? 0);
  const at = Math.max(latestOfMetadata(metadata), latestTransition(conditions), ...instants);
  const owner = ownerOf(metadata.fields);
  return {
    epoch: 0,
    resourceVersion: metadata.resourceVersion,
    at,
    kind: "ParentObserved",
    of: of.kind,
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    runUid: of.kind === "Workload" ? (owner?.uid ?? metadata.uid) : metadata.uid,
    createdAt: metadata.createdAt ?? at,
    ...(owner !== undefined && { owner }),
    labels: lineageKeys(metadata.fields),
    fields,
    conditions: conditions.slice(0, MAX_CONDITIONS).map((condition) => keptCondition(of, condition)),
  };
}

function deletionOf({ epoch, resourceVersion, at, of, namespace, name, uid, runUid }: ParentObserved): ParentDeleted {
  return { epoch, resourceVersion, at, kind: "ParentDeleted", of, namespace, name, uid, runUid };
}

function fieldsIn(object: JsonObject, paths: WatchedStatus["fields"]): ParentObserved["fields"] {
  const fields: Record<string, string> = {};
  for (const [name, path] of Object.entries(paths)) {
    const parts = typeof path === "string" ? path.split(".") : path;
    const value = parts.reduce<unknown>((parent, field) => fieldsOf(parent)[field], object);
    if (typeof value === "string" && value !== "") fields[name] = cutText(value);
    else if (typeof value === "number" || typeof value === "boolean") fields[name] = String(value);
  }
  return fields;
}

function keptCondition({ details: read }: WatchedStatus, condition: RawCondition): ParentCondition {
  const { type, status, reason, message = "", lastTransitionAt } = condition;
  const details = read?.({ type, message });
  return {
    type,
    status,
    ...(reason !== undefined && { reason }),
    ...(details !== undefined && { details }),
    ...(lastTransitionAt !== undefined && { lastTransitionAt }),
  };
}
