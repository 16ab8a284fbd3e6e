import type { JobAnswer } from "../answer-document.ts";
import type { RunAnswer } from "../run/run-document.ts";
import { FIELD_KINDS, type FieldKind, type FieldValue, type SideField, type UnknownReason } from "./compared-field.ts";

interface FieldDetails {
  readonly key?: string;
  /** What people read, if it is not the value. */
  readonly text?: string | undefined;
}

export function known(kind: FieldKind, value: FieldValue, { key, text }: FieldDetails = {}): SideField {
  return { kind, ...(key !== undefined && { key }), value: { is: "known", value, text } };
}

/** No field for a value that is absent: the side then has none, or does not know it. */
export function orNone(kind: FieldKind, value: FieldValue | undefined, details?: FieldDetails): readonly SideField[] {
  return value === undefined ? [] : [known(kind, value, details)];
}

/** A duration, from milliseconds. */
export function seconds(kind: FieldKind, millis: number | undefined): readonly SideField[] {
  return orNone(kind, millis === undefined ? undefined : Math.max(0, millis) / 1_000);
}

export function setOf(values: Iterable<string>): readonly string[] | undefined {
  const sorted = [...new Set(values)].sort();
  return sorted.length === 0 ? undefined : sorted;
}

export function outcomeFields({
  verdict,
  cause,
}: Pick<JobAnswer, "verdict" | "cause"> | Pick<RunAnswer, "verdict" | "cause">): readonly SideField[] {
  return [
    known("state", verdict.state),
    ...orNone("reason", verdict.reason),
    ...orNone("cause", cause?.category, { text: cause?.message }),
  ];
}

export function findingFields(findings: JobAnswer["findings"]): readonly SideField[] {
  return findings.map(({ kind, message }) => known("finding", "found", { key: kind, text: message }));
}

/** Labels that say which of the Jobs of a JobSet it is. */
const OF_PARTS = "jobset.sigs.k8s.io/";

/** `names`: the values that name a Job or its run. They differ always. */
export function labelFields(labels: JobAnswer["labels"], names: ReadonlySet<string>): readonly SideField[] {
  return Object.entries(labels)
    .filter(([key, value]) => !names.has(value) && !key.startsWith(OF_PARTS))
    .map(([key, value]) => known("label", value, { key }));
}

/** The kinds with a reason, as a side has them. */
export function unknownKinds(
  reasons: Readonly<Partial<Record<FieldKind, UnknownReason | undefined>>>,
): ReadonlyMap<FieldKind, UnknownReason> {
  const unknown = new Map<FieldKind, UnknownReason>();
  for (const kind of FIELD_KINDS) {
    const why = reasons[kind];
    if (why !== undefined) unknown.set(kind, why);
  }
  return unknown;
}
