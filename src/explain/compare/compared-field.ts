import { canonical } from "../../job/model/canonical.ts";
import { compareText } from "../../job/model/compare-text.ts";

/** What a comparison looks at, in the order of an answer. */
export const FIELD_KINDS = [
  "state",
  "reason",
  "cause",
  "exitCode",
  "category",
  "attempts",
  "restarts",
  "jobs",
  "finding",
  "image",
  "imageDigest",
  "request",
  "resources",
  "spec",
  "queue",
  "label",
  "node",
  "nodeLabel",
  "waiting",
  "startUp",
  "attempt",
  "whole",
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** What a field is about: how a run ended, what it was given, where it ran, and how long it took. */
export const FIELD_GROUPS = ["outcome", "settings", "placement", "time"] as const;
export type FieldGroup = (typeof FIELD_GROUPS)[number];

const GROUPS: Readonly<Record<FieldKind, FieldGroup>> = {
  state: "outcome",
  reason: "outcome",
  cause: "outcome",
  exitCode: "outcome",
  category: "outcome",
  attempts: "outcome",
  restarts: "outcome",
  jobs: "outcome",
  finding: "outcome",
  image: "settings",
  imageDigest: "settings",
  request: "settings",
  resources: "settings",
  spec: "settings",
  queue: "settings",
  label: "settings",
  node: "placement",
  nodeLabel: "placement",
  waiting: "time",
  startUp: "time",
  attempt: "time",
  whole: "time",
};

export function groupOf(kind: FieldKind): FieldGroup {
  return GROUPS[kind];
}

/** A set of values is sorted. Durations are in seconds. */
export type FieldValue = string | number | readonly string[];

/** Why a value is not known. */
export const UNKNOWN_REASONS = [
  "notRecorded",
  "expired",
  "notObserved",
  "noPods",
  "inProgress",
  "truncated",
  "ofItsJobs",
] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** `none`: it is known that there is no value, such as a limit that is not set. */
export type SideValue =
  | { readonly is: "known"; readonly value: FieldValue; readonly text?: string | undefined }
  | { readonly is: "none" }
  | { readonly is: "unknown"; readonly why: UnknownReason };

/** A field of one side. `key`: which label, resource, field of the spec or kind of finding. */
export interface SideField {
  readonly kind: FieldKind;
  readonly key?: string;
  readonly value: SideValue;
}

/** One of the two that are compared. */
export interface Side {
  readonly fields: readonly SideField[];
  /** Why a field of a kind is unknown if it is not among `fields`. Of other kinds, it is known that there is none. */
  readonly unknown: ReadonlyMap<FieldKind, UnknownReason>;
}

export interface ComparedField {
  readonly kind: FieldKind;
  readonly key?: string;
  /** `unknown`: one of the values is not known, so it is not known whether they differ. */
  readonly outcome: "different" | "equal" | "unknown";
  readonly before: SideValue;
  readonly after: SideValue;
}

/** Compares two sides, field by field, in the order of the kinds and then of the keys. */
export function compareSides(before: Side, after: Side): readonly ComparedField[] {
  const [left, right] = [byPlace(before), byPlace(after)];
  const places = new Map([...left, ...right].map(([place, { kind, key }]) => [place, { kind, key }]));
  for (const kind of FIELD_KINDS) {
    const isUnknown = before.unknown.has(kind) || after.unknown.has(kind);
    const hasFields = [...places.values()].some((place) => place.kind === kind);
    if (isUnknown && !hasFields) places.set(kind, { kind, key: undefined });
  }
  return [...places]
    .map(([place, { kind, key }]) =>
      compareField({
        kind,
        ...(key !== undefined && { key }),
        before: left.get(place)?.value ?? missing(before, kind),
        after: right.get(place)?.value ?? missing(after, kind),
      }),
    )
    .sort((a, b) => FIELD_KINDS.indexOf(a.kind) - FIELD_KINDS.indexOf(b.kind) || compareText(a.key ?? "", b.key ?? ""));
}

function byPlace({ fields }: Side): ReadonlyMap<string, SideField> {
  return new Map(fields.map((field) => [field.key === undefined ? field.kind : `${field.kind} ${field.key}`, field]));
}

function missing({ unknown }: Side, kind: FieldKind): SideValue {
  const why = unknown.get(kind);
  return why === undefined ? { is: "none" } : { is: "unknown", why };
}

function compareField(field: Omit<ComparedField, "outcome">): ComparedField {
  const { kind, before, after } = field;
  if (before.is === "unknown" || after.is === "unknown") return { ...field, outcome: "unknown" };
  return { ...field, outcome: isSame(kind, valueOf(before), valueOf(after)) ? "equal" : "different" };
}

function valueOf(side: SideValue): FieldValue | undefined {
  return side.is === "known" ? side.value : undefined;
}

function isSame(kind: FieldKind, before: FieldValue | undefined, after: FieldValue | undefined): boolean {
  const isDuration = groupOf(kind) === "time" && typeof before === "number" && typeof after === "number";
  return isDuration ? isAlike(before, after) : canonical(before ?? null) === canonical(after ?? null);
}

/** No two runs take the same time: less than this, or less than a fifth of the longer one, is no difference. */
const ALIKE_SECONDS = 5;
const ALIKE_SHARE = 0.2;

function isAlike(before: number, after: number): boolean {
  return Math.abs(before - after) <= Math.max(ALIKE_SECONDS, ALIKE_SHARE * Math.max(before, after));
}
