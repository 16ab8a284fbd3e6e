/**
 * A path in the JSONPath dialect of kubectl (k8s.io/client-go/util/jsonpath). No Node package implements it:
 * jsonpath-plus has a different dialect, and evaluates filters as code.
 */
export interface JsonPath {
  /** `$` begins at the document, everything else at the current value. */
  readonly from: "document" | "current";
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly kind: "field"; readonly name: string }
  /**
   * `['metadata.name']`: the field with this name. If there is none, the path whose fields are separated by the dots.
   */
  | { readonly kind: "key"; readonly key: string; readonly fields: readonly string[] }
  | { readonly kind: "wildcard" }
  /** `..`: the value and everything below it. */
  | { readonly kind: "descend" }
  | { readonly kind: "slice"; readonly start: number; readonly end: number; readonly step: number }
  | { readonly kind: "union"; readonly steps: readonly Step[] }
  | { readonly kind: "filter"; readonly left: JsonPath; readonly compared?: Comparison };

export interface Comparison {
  readonly operator: Operator;
  readonly right: JsonPath | { readonly literal: Literal };
}
export const OPERATORS = ["==", "!=", "<=", ">=", "<", ">"] as const;
export type Operator = (typeof OPERATORS)[number];
export type Literal = string | number | boolean;

/** Where a path is evaluated. */
export interface Place {
  readonly document: unknown;
  readonly current: unknown;
}

/** The values at a path. A missing field or index gives none. */
export function valuesAt({ from, steps }: JsonPath, place: Place): readonly unknown[] {
  return steps.reduce<readonly unknown[]>(
    (values, step) => values.flatMap((current) => apply(step, { ...place, current })).filter(isPresent),
    [place[from]],
  );
}

function apply(step: Step, place: Place): readonly unknown[] {
  const { current } = place;
  switch (step.kind) {
    case "field":
      return fieldOf(current, step.name);
    case "key":
      return keyOf(current, step);
    case "wildcard":
      return childrenOf(current);
    case "descend":
      return descendantsOf(current);
    case "slice":
      return sliceOf(current, step);
    case "union":
      return step.steps.flatMap((one) => apply(one, place));
    case "filter":
      return childrenOf(current).filter((child) => isKept(step, { ...place, current: child }));
  }
}

function isKept({ left, compared }: Step & { readonly kind: "filter" }, place: Place): boolean {
  const values = valuesAt(left, place);
  if (compared === undefined) return values.length > 0;
  const { operator, right } = compared;
  const others = "literal" in right ? [right.literal] : valuesAt(right, place);
  return values.some((value) => others.some((other) => holds(operator, value, other)));
}

/** Values of different types are different, and neither is the greater one. */
function holds(operator: Operator, a: unknown, b: unknown): boolean {
  const order = orderOf(a, b);
  switch (operator) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

/** Negative, 0 or positive; NaN where two values have no order. */
function orderOf(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (typeof a !== "string" || typeof b !== "string") return Number.NaN;
  return a === b ? 0 : a < b ? -1 : 1;
}

function sliceOf(value: unknown, { start, end, step }: Step & { readonly kind: "slice" }): readonly unknown[] {
  return Array.isArray(value) ? value.slice(start, end).filter((_, index) => index % step === 0) : [];
}

function keyOf(value: unknown, { key, fields }: Step & { readonly kind: "key" }): readonly unknown[] {
  const own = fieldOf(value, key);
  return own.length > 0 ? own : fields.reduce(fieldsOf, [value]);
}

function fieldsOf(values: readonly unknown[], name: string): readonly unknown[] {
  return values.flatMap((value) => fieldOf(value, name));
}

function fieldOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const own: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return own === undefined ? [] : [own];
}

function childrenOf(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

/** As in kubectl, only objects and arrays are searched. */
function descendantsOf(value: unknown): readonly unknown[] {
  const children = childrenOf(value).filter(isPresent);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendantsOf)];
}

function isPresent(value: unknown): boolean {
  return value !== undefined;
}
