import * as v from "valibot";

export type ReadContent<Content> =
  | { readonly outcome: "read"; readonly content: Content }
  | { readonly outcome: "rejected"; readonly problems: readonly FileProblem[] };

/** What is wrong with a file of settings, and where: `rules[3].match.states[0]`. */
export interface FileProblem {
  readonly path: string;
  readonly message: string;
}

/** A parsed file, or why it cannot be parsed. */
export type ParsedFile = { readonly value: unknown } | { readonly problem: string };

/** The most problems that are reported. */
export const MAX_PROBLEMS = 50;

/** Checks a parsed file of settings by its schema. */
export function checkContent<Content>(value: unknown, schema: v.GenericSchema<unknown, Content>): ReadContent<Content> {
  const read = v.safeParse(schema, value);
  if (read.success) return { outcome: "read", content: read.output };
  return { outcome: "rejected", problems: read.issues.slice(0, MAX_PROBLEMS).map(problemOf) };
}

/** A file that cannot be parsed. */
export function unparsed(message: string): { readonly outcome: "rejected"; readonly problems: readonly FileProblem[] } {
  return { outcome: "rejected", problems: [{ path: "", message }] };
}

/** Parses a file that a deployment has written. */
export function parseJson(text: string): ParsedFile {
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    if (cause instanceof SyntaxError) return { problem: `Invalid JSON: ${cause.message}` };
    throw cause;
  }
}

/** A schema may say after it which keys are known. */
const UNKNOWN_KEY = "Unknown key";
const NO_OBJECT = "Expected keys with values, such as `name: a`.";

function problemOf(issue: v.BaseIssue<unknown>): FileProblem {
  const path = pathText((issue.path ?? []).map(({ key }) => key));
  if (issue.type === "strict_object" && issue.expected === "never") {
    return { path, message: issue.message.startsWith(UNKNOWN_KEY) ? issue.message : `${UNKNOWN_KEY}.` };
  }
  if (issue.type === "strict_object" && issue.received === "undefined") return { path, message: "Missing." };
  if (issue.type === "strict_object" && issue.message.startsWith("Invalid type")) return { path, message: NO_OBJECT };
  return { path, message: issue.message };
}

/** `rules[3].match`. */
function pathText(keys: readonly unknown[]): string {
  return keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
