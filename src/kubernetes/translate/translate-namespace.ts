import type { NamespaceObserved, Stamp } from "../../job/model/fact.ts";
import { type JsonObject, textOf } from "../json/json-field.ts";
import { ownKeys } from "./lineage-marks.ts";
import { isProblems, latestOfMetadata, readMetadata } from "./metadata.ts";
import { type ChangeType, ignored, type TranslateOptions, type Translated } from "./translated.ts";

/** Translates the labels and annotations of a namespace for Outlive, also if it has none. */
export function translateNamespace(type: ChangeType, object: JsonObject, { epoch }: TranslateOptions): Translated {
  if ((textOf(object["apiVersion"]) ?? "v1") !== "v1") return ignored("The API version of the Namespace is not v1.");
  const metadata = readMetadata(object, "cluster");
  if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
  const { uid: namespaceUid, name: namespace, resourceVersion, fields } = metadata;
  const stamp: Stamp = { epoch, resourceVersion, at: latestOfMetadata(metadata) };
  const own = { namespace, namespaceUid };
  const marks = ownKeys(fields);
  const observed: NamespaceObserved = {
    ...stamp,
    kind: "NamespaceObserved",
    ...own,
    ...(Object.keys(marks).length > 0 && { marks }),
  };
  if (type !== "DELETED") return { outcome: "translated", facts: [observed] };
  return { outcome: "translated", facts: [observed, { ...stamp, kind: "NamespaceDeleted", ...own }] };
}
