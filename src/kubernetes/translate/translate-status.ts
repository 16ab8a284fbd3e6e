import type { ParentCondition, ParentDeleted, ParentObserved } from "../../job/model/fact.ts";
import { parseInstant } from "../../job/model/instant.ts";
import type { WatchedStatus } from "../../parents/status/watched-status.ts";
import { fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { cutText, MAX_CONDITIONS } from "./bounds.ts";
import { latestTransition, type RawCondition, readConditions } from "./condition.ts";
import { lineageKeys, ownKeys } from "./lineage-marks.ts";
import { isProblems, latestOfMetadata, type Metadata, readMetadata } from "./metadata.ts";
import { type ChangeType, ignored, type TranslateOptions, type Translated } from "./translated.ts";
import { ownerOf } from "./owner-reference.ts";

/** Translates an object that Jobs belong to, or that admits them. Its kind says which of its fields become facts. */
export function translateStatus(
  of: WatchedStatus,
): (type: ChangeType, object: JsonObject, options: TranslateOptions) => Translated {
  return (type, object, { epoch }) => {
    // `Workload` is also a kind of scheduling.k8s.io.
    if (!of.apiVersions.includes(textOf(object["apiVersion"]) ?? "")) {
      return ignored(`The API version of the ${of.kind} is not ${of.apiVersions.join(" or ")}.`);
    }
    const metadata = readMetadata(object, "namespaced");
    if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
    const observed = { ...observationOf(of, metadata, object), epoch };
    return { outcome: "translated", facts: type === "DELETED" ? [observed, deletionOf(observed)] : [observed] };
  };
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
    labels: { ...ownKeys(metadata.fields), ...lineageKeys(metadata.fields) },
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
  const details = condition.message === undefined ? recordedDetails(condition) : read?.({ type, message });
  return {
    type,
    status,
    ...(reason !== undefined && { reason }),
    ...(details !== undefined && { details }),
    ...(lastTransitionAt !== undefined && { lastTransitionAt }),
  };
}

/** A recording has the details in place of the message. */
function recordedDetails({ details }: RawCondition): ParentCondition["details"] {
  const texts = Object.entries(fieldsOf(details)).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, cutText(text)] as const];
  });
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
