import { parseFields, type Requirement } from "../query/list/field-selector.ts";
import type { ParsedSelector } from "../query/list/selector-text.ts";
import type { KubeObject } from "./kube-object.ts";
import type { KubeResource } from "./resources.ts";

/** What a field selector asks of objects, whatever their kind. */
export type KubeFields = readonly Requirement[];

/**
 * The fields that kube-apiserver selects each kind by, as far as they are known here; what is not is refused: to answer as if it had not been asked for is
 * to name Pods that do not meet it. Jobs are selected in the store (src/query/list/field-selector.ts).
 */
const SELECTABLE: Readonly<Record<Exclude<KubeResource["plural"], "jobs">, readonly string[]>> = {
  pods: ["metadata.name", "metadata.namespace", "spec.nodeName", "spec.restartPolicy", "status.phase"],
  cronjobs: ["metadata.name", "metadata.namespace"],
  namespaces: ["metadata.name", "status.phase"],
  events: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "metadata.name",
    "metadata.namespace",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
};

export function parseKubeFields(
  plural: Exclude<KubeResource["plural"], "jobs">,
  text: string,
): ParsedSelector<KubeFields> {
  return parseFields(text, SELECTABLE[plural]);
}

/** Whose events are asked for decides which are made (list-events-as-kube.ts): a Job's are told with those of its Pods. */
export function withoutInvolved(fields: KubeFields): KubeFields {
  return fields.filter(({ field }) => !field.startsWith("involvedObject."));
}

export function matchesKubeFields(fields: KubeFields, object: KubeObject): boolean {
  return fields.every(({ field, equal, value }) => (valueAt(object, field) === value) === equal);
}

/** A field that is absent is the empty text, as upstream has it. */
function valueAt(object: KubeObject, field: string): string {
  let value: unknown = object;
  for (const name of (PATHS[field] ?? field).split(".")) value = within(value, name);
  return typeof value === "string" ? value : "";
}

/** Where a field is that is not called after its place. */
const PATHS: Readonly<Record<string, string>> = { source: "source.component" };

function within(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}
