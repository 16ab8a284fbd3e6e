import * as v from "valibot";
import { parseDocument } from "yaml";

export type ReadYaml<Content> =
  | { readonly outcome: "read"; readonly content: Content }
  | { readonly outcome: "rejected"; readonly problems: readonly FileProblem[] };

/** What is wrong with a file of settings, and where: `rules[3].match.states[0]`. */
export interface FileProblem {
  readonly path: string;
  readonly message: string;
}

const MAX_CHARACTERS = 10_000_000;
/** Aliases of one YAML document. More are an attack rather than a convenience. */
const MAX_ALIASES = 100;
/** The most problems that are reported. */
export const MAX_PROBLEMS = 50;

/** Reads a file of settings (YAML, or JSON) by its schema. */
export function readYaml<Content>(text: string, schema: v.GenericSchema<unknown, Content>): ReadYaml<Content> {
  if (text.length > MAX_CHARACTERS) return rejected("The file is larger than 10 MB.");
  const document = parseYaml(text);
  if ("problem" in document) return rejected(document.problem);
  const read = v.safeParse(schema, document.value);
  if (read.success) return { outcome: "read", content: read.output };
  return { outcome: "rejected", problems: read.issues.slice(0, MAX_PROBLEMS).map(problemOf) };
}

function rejected(message: string): { readonly outcome: "rejected"; readonly problems: readonly FileProblem[] } {
  return { outcome: "rejected", problems: [{ path: "", message }] };
}

function parseYaml(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    const document = parseDocument(text, { prettyErrors: true });
    const [error] = document.errors;
    if (error !== undefined) return { problem: `Invalid YAML: ${error.message.split("\n", 1).join("")}` };
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (cause) {
    if (cause instanceof ReferenceError || cause instanceof RangeError) {
      return { problem: `Invalid YAML: ${cause.message}` };
    }
    throw cause;
  }
}

function problemOf(issue: v.BaseIssue<unknown>): FileProblem {
  const path = pathText((issue.path ?? []).map(({ key }) => key));
  if (issue.type === "strict_object" && issue.expected === "never") return { path, message: "Unknown key." };
  if (issue.type === "strict_object" && issue.received === "undefined") return { path, message: "Missing." };
  return { path, message: issue.message };
}

/** `rules[3].match`. */
function pathText(keys: readonly unknown[]): string {
  return keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
