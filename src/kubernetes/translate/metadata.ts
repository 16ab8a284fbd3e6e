import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../job/model/order.ts";
import { MAX_INT32, MAX_NAME_LENGTH, MAX_NAMESPACE_LENGTH } from "./bounds.ts";
import { countOf, fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import type { Problem } from "./translated.ts";

/** The fields of `metadata` that facts need. */
export interface Metadata {
  readonly uid: string;
  readonly resourceVersion: ResourceVersion;
  readonly name: string;
  /** `""` for cluster-scoped objects. */
  readonly namespace: string;
  readonly createdAt: Instant | undefined;
  readonly deletion: Deletion | undefined;
  readonly fields: JsonObject;
}

/** The time of the deletion request. `deletionTimestamp` is later by the grace period. */
interface Deletion {
  readonly requestedAt: Instant;
  readonly graceSeconds: number;
}

const UID = /^[\x21-\x7e]{1,128}$/;
/** A valid segment of a URL path (`IsValidPathSegmentName`) without `#`, which separates the parts of keys. */
const NAME = /^[!"$&-.0-~]+$/;

/**
 * Reads `object.metadata`, or returns its problems. A namespaced object without a namespace is in `default`, as in the
 * API server.
 */
export function readMetadata(object: JsonObject, scope: "namespaced" | "cluster"): Metadata | readonly Problem[] {
  const fields = fieldsOf(object["metadata"]);
  const { uid, name } = fields;
  const namespace = scope === "cluster" ? "" : (textOf(fields["namespace"]) ?? "default");
  const resourceVersion = decodeResourceVersion(fields["resourceVersion"]);
  if (
    !isUid(uid) ||
    !isName(name, MAX_NAME_LENGTH) ||
    (namespace !== "" && !isName(namespace, MAX_NAMESPACE_LENGTH)) ||
    resourceVersion === undefined
  ) {
    return problemsOf(fields, namespace);
  }
  return {
    uid,
    resourceVersion,
    name,
    namespace,
    createdAt: parseInstant(fields["creationTimestamp"]),
    deletion: readDeletion(fields),
    fields,
  };
}

export function isProblems(read: Metadata | readonly Problem[]): read is readonly Problem[] {
  return Array.isArray(read);
}

/** The latest instant in `metadata`: the creation, the deletion request, or the last write of a field manager. */
export function latestOfMetadata({ fields, createdAt, deletion }: Metadata): Instant {
  let latest = Math.max(createdAt ?? 0, deletion?.requestedAt ?? 0);
  for (const entry of itemsOf(fields["managedFields"])) {
    latest = Math.max(latest, parseInstant(fieldsOf(entry)["time"]) ?? 0);
  }
  return latest;
}

function readDeletion(fields: JsonObject): Deletion | undefined {
  const deletionAt = parseInstant(fields["deletionTimestamp"]);
  if (deletionAt === undefined) return undefined;
  const graceSeconds = Math.min(MAX_INT32, countOf(fields["deletionGracePeriodSeconds"]) ?? 0);
  return { requestedAt: deletionAt - graceSeconds * 1000, graceSeconds };
}

function isUid(uid: unknown): uid is string {
  return typeof uid === "string" && UID.test(uid);
}

/** Whether `name` is a valid name of an object or a namespace. */
export function isName(name: unknown, maxLength: number): name is string {
  return typeof name === "string" && name.length <= maxLength && NAME.test(name);
}

function problemsOf(fields: JsonObject, namespace: string): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (field: string, message: string): void => {
    problems.push({ path: `object.metadata.${field}`, message });
  };
  const { uid, name, resourceVersion } = fields;
  if (uid === undefined) report("uid", "The object has no uid, which distinguishes it from others of the same name.");
  else if (!isUid(uid)) report("uid", "A uid must have 1 to 128 printable characters without spaces.");
  if (name === undefined) report("name", "The object has no name.");
  else if (!isName(name, MAX_NAME_LENGTH)) report("name", nameRule(MAX_NAME_LENGTH));
  if (namespace !== "" && !isName(namespace, MAX_NAMESPACE_LENGTH)) report("namespace", nameRule(MAX_NAMESPACE_LENGTH));
  if (resourceVersion === undefined) {
    report("resourceVersion", "The object has no resourceVersion, which determines its order.");
  } else if (decodeResourceVersion(resourceVersion) === undefined) {
    report("resourceVersion", "A resourceVersion must be a string of digits, from 1 to 2^53-1.");
  }
  return problems;
}

function nameRule(maxLength: number): string {
  return `A name must have 1 to ${maxLength} printable characters, without spaces and the characters / % #.`;
}
