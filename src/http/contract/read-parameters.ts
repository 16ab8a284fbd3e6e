import * as v from "valibot";
import { nearestNames } from "../../job/text/nearest-names.ts";
import { describeParameter } from "./parameter.ts";
import { MAX_ERRORS, type Problem, type ProblemPlace, problem } from "./problem.ts";

export type ReadParameters<Entries extends v.ObjectEntries> =
  | { readonly outcome: "read"; readonly value: v.InferOutput<v.ObjectSchema<Entries, undefined>> }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** How much of a parameter's name a problem repeats. */
const MAX_SHOWN_NAME = 100;

/** Reads the parameters of a request. Reports all invalid parameters at once; an unknown name is invalid. */
export function readParameters<Entries extends v.ObjectEntries>(
  location: "query" | "path",
  entries: Entries,
  given: readonly (readonly [string, string])[],
): ReadParameters<Entries> {
  const { input, errors } = collect(location, entries, given);
  const parsed = v.safeParse(v.object(entries), input);
  const issues = (parsed.issues ?? []).map((issue) => ({
    in: location,
    name: v.getDotPath(issue) ?? "",
    detail: issue.message,
  }));
  const wrong = [...errors, ...issues];
  if (wrong.length > 0 || !parsed.success) {
    const shown = wrong.slice(0, MAX_ERRORS);
    return { outcome: "refused", problem: problem("bad-parameter", sentences(shown, wrong.length), shown) };
  }
  return { outcome: "read", value: parsed.output };
}

/** The values of the known parameters, and the errors in the names. */
function collect(location: "query" | "path", entries: v.ObjectEntries, given: readonly (readonly [string, string])[]) {
  const errors: ProblemPlace[] = [];
  const input: Record<string, string> = {};
  for (const [name, pairs] of Map.groupBy(given, ([key]) => key)) {
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (entry === undefined) {
      // Errors beyond the limit are only counted: formatting each of them takes time.
      const detail = errors.length < MAX_ERRORS ? unknownName(name, entries) : "";
      errors.push({ in: location, name: name.slice(0, MAX_SHOWN_NAME), detail });
    } else if (pairs.length > 1 && !isRepeatable(entry)) {
      errors.push({ in: location, name, detail: `is given ${pairs.length} times: give it once` });
    } else input[name] = pairs.map(([, text]) => text).join(",");
  }
  return { input, errors };
}

/** The schema inside `v.exactOptional`. */
export function unwrapped(entry: v.ObjectEntries[string]): v.GenericSchema {
  return "wrapped" in entry ? entry.wrapped : entry;
}

function isRepeatable(entry: v.ObjectEntries[string]): boolean {
  return describeParameter(unwrapped(entry)).schema.type === "array";
}

function unknownName(name: string, entries: v.ObjectEntries): string {
  const names = Object.keys(entries);
  const [nearest] = nearestNames(name, names);
  if (nearest !== undefined) return `is unknown: did you mean ${nearest}?`;
  return names.length === 0
    ? "is unknown: this route takes no parameters"
    : `is unknown: this route takes ${names.join(", ")}`;
}

function sentences(errors: readonly ProblemPlace[], total: number): string {
  const listed = errors.map(({ in: place, name, detail }) => `Parameter ${JSON.stringify(name)} (${place}) ${detail}.`);
  const more = total > errors.length ? [`${total - errors.length} more parameters are invalid.`] : [];
  return [...listed, ...more].join(" ");
}
