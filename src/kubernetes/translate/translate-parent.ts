import type { Stamp } from "../../job/model/fact.ts";
import { parseInstant } from "../../job/model/instant.ts";
import type { ParentFields, ParentObject } from "../../parents/parent-kind.ts";
import { type WatchedKind, WATCHED_PARENTS } from "../../parents/parents.ts";
import { cutText } from "./bounds.ts";
import { countOf, fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isProblems, latestOfMetadata, readMetadata } from "./metadata.ts";
import { type ChangeType, ignored, type TranslateOptions, type Translated } from "./translated.ts";

/** Translates an object that makes or starts Jobs. Its kind says which of its fields become facts. */
export function translateParent(
  kind: WatchedKind,
): (type: ChangeType, object: JsonObject, options: TranslateOptions) => Translated {
  const { apiVersions, instants, observed, deleted } = WATCHED_PARENTS[kind];
  const [preferred] = apiVersions;
  return (type, object, { epoch }) => {
    if (!apiVersions.includes(textOf(object["apiVersion"]) ?? preferred)) {
      return ignored(`The API version of the ${kind} is not ${preferred}.`);
    }
    const metadata = readMetadata(object, "namespaced");
    if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
    const { uid, namespace, name, createdAt, resourceVersion, fields } = metadata;
    const parent: ParentObject = {
      uid,
      namespace,
      name,
      createdAt,
      generation: countOf(fields["generation"]) ?? 0,
      spec: fieldsIn(object["spec"]),
      status: fieldsIn(object["status"]),
    };
    const at = Math.max(latestOfMetadata(metadata), ...instants(parent).map((instant = 0) => instant));
    const stamp: Stamp = { epoch, resourceVersion, at };
    const facts = [observed(parent, stamp), ...(type === "DELETED" ? [deleted(parent, stamp)] : [])];
    return { outcome: "translated", facts };
  };
}

function fieldsIn(value: unknown): ParentFields {
  const fields = fieldsOf(value);
  return {
    text(field) {
      const text = textOf(fields[field]);
      return text === undefined ? undefined : cutText(text);
    },
    count: (field) => countOf(fields[field]),
    instant: (field) => parseInstant(fields[field]),
    isTrue: (field) => fields[field] === true,
  };
}
