import { canonical } from "../../job/model/canonical.ts";

/** A field that differs between two documents. */
export interface FieldDifference {
  /** The path of the field: `verdict.state`. */
  readonly path: string;
  /** Canonical JSON; "absent" where there is no such field. */
  readonly live: string;
  readonly other: string;
}

/** The most fields that are named. */
const MOST_FIELDS = 20;

/** The fields in which two JSON documents differ, in the order of their paths. Lists are compared as a whole. */
export function differences(live: unknown, other: unknown): readonly FieldDifference[] {
  return [...fieldsOf({ live, other }, "")].slice(0, MOST_FIELDS);
}

interface Two {
  readonly live: unknown;
  readonly other: unknown;
}

function* fieldsOf({ live, other }: Two, path: string): Generator<FieldDifference> {
  if (isObject(live) && isObject(other)) {
    for (const key of [...new Set([...Object.keys(live), ...Object.keys(other)])].toSorted()) {
      yield* fieldsOf({ live: live[key], other: other[key] }, path === "" ? key : `${path}.${key}`);
    }
    return;
  }
  const [a, b] = [textOf(live), textOf(other)];
  if (a !== b) yield { path, live: a, other: b };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return value === undefined ? "absent" : canonical(value);
}
