import type { JobAnswer } from "../job/answer.ts";
import { type ParsedSelector, parseSelector, SelectorSyntaxError } from "./selector-text.ts";

/** The fields of a Job that `fieldSelector` knows: those of `batch/v1` Jobs (k8s.io/kubernetes/pkg/registry/batch/job), and the verdict's state. */
export type SelectableField = keyof typeof FIELDS;
export type FieldSelector = readonly FieldRequirement[];
export interface FieldRequirement {
  readonly field: SelectableField;
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

/** Reads `field=value`, `field==value` and `field!=value`, joined by commas; a backslash makes the next character plain. */
export function parseFieldSelector(text: string): ParsedSelector<FieldSelector> {
  return parseSelector(() => terms(text).map(({ term, at }) => readTerm(term, at)));
}

export function matchesFields(selector: FieldSelector, job: JobAnswer): boolean {
  return selector.every(({ field, equal, value }) => (FIELDS[field](job) === value) === equal);
}

function terms(text: string): { readonly term: string; readonly at: number }[] {
  return [...text.matchAll(/(?:\\.|[^,\\]|\\$)+/gs)]
    .map((match) => ({ term: match[0], at: match.index }))
    .filter(({ term }) => term.trim() !== "");
}

function readTerm(term: string, at: number): FieldRequirement {
  const operator = /!=|==|=/.exec(term);
  if (operator === null) {
    throw new SelectorSyntaxError(at + term.length, `expected =, == or != and a value after "${term.trim()}"`);
  }
  const field = term.slice(0, operator.index).trim();
  if (!isSelectable(field)) {
    throw new SelectorSyntaxError(at, `"${field}" is not a field to select by (${Object.keys(FIELDS).join(", ")})`);
  }
  const value = term.slice(operator.index + operator[0].length);
  return { field, equal: operator[0] !== "!=", value: unescape(value, at + operator.index + operator[0].length) };
}

function unescape(value: string, at: number): string {
  const bad = /\\(?![\\,=])/.exec(value.replaceAll(/\\[\\,=]/g, "__"));
  if (bad !== null) throw new SelectorSyntaxError(at + bad.index, `expected \\, , or = after a backslash`);
  return value.replaceAll(/\\([\\,=])/g, "$1");
}

function isSelectable(field: string): field is SelectableField {
  return Object.hasOwn(FIELDS, field);
}
