import type { JobAnswer } from "../../explain/answer-document.ts";
import { STATES, stateOf } from "../../job/model/states.ts";
import { type ParsedSelector, parseSelector, SelectorSyntaxError } from "./selector-text.ts";

/**
 * The fields that `fieldSelector` supports: those of `batch/v1` Jobs (k8s.io/kubernetes/pkg/registry/batch/job), and
 * the state of the verdict.
 */
export type SelectableField = keyof typeof FIELDS;
export type FieldSelector = readonly Requirement<SelectableField>[];
export interface Requirement<Field extends string = string> {
  readonly field: Field;
  readonly equal: boolean;
  readonly value: string;
}

const FIELDS = {
  "metadata.name": (job: JobAnswer) => job.name,
  "metadata.namespace": (job: JobAnswer) => job.namespace,
  "status.successful": (job: JobAnswer) => String(job.status.succeeded ?? 0),
  state: (job: JobAnswer) => job.verdict.state,
} as const;

export const SELECTABLE_FIELDS = Object.keys(FIELDS).filter(isSelectable);

export function parseFieldSelector(text: string): ParsedSelector<FieldSelector> {
  return parseSelector(() => terms(text).map((term) => withState(readTerm(term, SELECTABLE_FIELDS), term.at)));
}

/**
 * Parses `field=value`, `field==value` and `field!=value`, separated by commas. A backslash escapes the next
 * character.
 */
export function parseFields<Field extends string>(
  text: string,
  known: readonly Field[],
): ParsedSelector<readonly Requirement<Field>[]> {
  return parseSelector(() => terms(text).map(({ term, at }) => readTerm({ term, at }, known)));
}

export function matchesFields(selector: FieldSelector, job: JobAnswer): boolean {
  return selector.every(({ field, equal, value }) => (FIELDS[field](job) === value) === equal);
}

/** States match in any case. One that does not exist is an error, because it would match no Job. */
function withState(requirement: Requirement<SelectableField>, at: number): Requirement<SelectableField> {
  if (requirement.field !== "state") return requirement;
  const state = stateOf(requirement.value);
  if (state !== undefined) return { ...requirement, value: state };
  throw new SelectorSyntaxError(at, `"${requirement.value}" is not a state (${STATES.join(", ")})`);
}

interface Term {
  readonly term: string;
  /** Its position in the selector. */
  readonly at: number;
}

function terms(text: string): readonly Term[] {
  return [...text.matchAll(/(?:\\.|[^,\\]|\\$)+/gs)]
    .map((match) => ({ term: match[0], at: match.index }))
    .filter(({ term }) => term.trim() !== "");
}

function readTerm<Field extends string>({ term, at }: Term, known: readonly Field[]): Requirement<Field> {
  const operator = /!=|==|=/.exec(term);
  if (operator === null) {
    throw new SelectorSyntaxError(at + term.length, `expected =, == or != and a value after "${term.trim()}"`);
  }
  const name = term.slice(0, operator.index).trim();
  const field = known.find((one) => one === name);
  if (field === undefined) {
    throw new SelectorSyntaxError(at, `"${name}" is not a field to select by (${known.join(", ")})`);
  }
  const value = term.slice(operator.index + operator[0].length);
  return { field, equal: operator[0] !== "!=", value: unescape(value, at + operator.index + operator[0].length) };
}

function unescape(value: string, at: number): string {
  const bad = /\\(?![\\,=])/.exec(value.replaceAll(/\\[\\,=]/g, "__"));
  if (bad !== null) {
    throw new SelectorSyntaxError(at + bad.index, `expected a backslash, a comma or = after a backslash`);
  }
  return value.replaceAll(/\\([\\,=])/g, "$1");
}

function isSelectable(field: string): field is SelectableField {
  return Object.hasOwn(FIELDS, field);
}
