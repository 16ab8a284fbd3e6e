import { parseFields, type Requirement } from "../../query/list/field-selector.ts";
import { type LabelSelector, matchesLabels } from "../../query/list/label-selector.ts";
import type { ParsedSelector } from "../../query/list/selector-text.ts";
import type { KubeObject } from "./kube-object.ts";
import { forRuns, type KubeResource } from "./resources.ts";

/** A field selector for objects of any kind. */
export type KubeFields = readonly Requirement[];

const NAMES = ["metadata.name", "metadata.namespace"];
/**
 * The selectable fields of each kind, as in kube-apiserver. Other fields are refused: ignoring them would return
 * objects that do not match. Jobs have their own selector (src/query/list/field-selector.ts).
 */
const SELECTABLE: Readonly<Record<Exclude<KubeResource["plural"], "jobs">, readonly string[]>> = {
  pods: ["metadata.name", "metadata.namespace", "spec.nodeName", "spec.restartPolicy", "status.phase"],
  cronjobs: NAMES,
  ...forRuns(NAMES),
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

/**
 * Drops the fields of the involved object, because listKubeEvents has already used them: Events of a Job
 * include those of its Pods.
 */
export function withoutInvolved(fields: KubeFields): KubeFields {
  return fields.filter(({ field }) => !field.startsWith("involvedObject."));
}

/** Whether an object has the name, if one is requested, and matches the selectors. */
export function isSelected(
  object: KubeObject,
  { name }: { readonly name?: string },
  { labels, others }: { readonly labels: LabelSelector; readonly others: KubeFields },
): boolean {
  const { metadata } = object;
  return (
    (name === undefined || metadata.name === name) &&
    matchesLabels(labels, metadata.labels ?? {}) &&
    matchesKubeFields(others, object)
  );
}

export function matchesKubeFields(fields: KubeFields, object: KubeObject): boolean {
  return fields.every(({ field, equal, value }) => (valueAt(object, field) === value) === equal);
}

/** As upstream, an absent field is the empty string. */
function valueAt(object: KubeObject, field: string): string {
  let value: unknown = object;
  for (const name of (PATHS[field] ?? field).split(".")) value = within(value, name);
  return typeof value === "string" ? value : "";
}

/** Paths of fields whose selector name differs. */
const PATHS: Readonly<Record<string, string>> = { source: "source.component" };

function within(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}
