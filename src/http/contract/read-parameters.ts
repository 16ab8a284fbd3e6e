import * as v from "valibot";
import { nearestNames } from "../../text/nearest-names.ts";
import { describeParameter } from "./parameter.ts";
import { type Problem, type ProblemPlace, problem } from "./problem.ts";

export type ReadParameters<Entries extends v.ObjectEntries> =
  | { readonly outcome: "read"; readonly value: v.InferOutput<v.ObjectSchema<Entries, undefined>> }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** Reads a request's parameters; everything that is wrong is told at once, and a name that the route does not know is wrong. */
export function readParameters<Entries extends v.ObjectEntries>(
  place: "query" | "path",
  entries: Entries,
  given: readonly (readonly [string, string])[],
): ReadParameters<Entries> {
  const { input, errors } = collect(place, entries, given);
  const parsed = v.safeParse(v.object(entries), input);
  const issues = parsed.issues?.map((issue) => ({ in: place, name: v.getDotPath(issue) ?? "", detail: issue.message }));
  const wrong = [...errors, ...(issues ?? [])];
  if (wrong.length > 0 || !parsed.success) {
    return { outcome: "refused", problem: problem("bad-parameter", sentence(wrong), wrong) };
  }
  return { outcome: "read", value: parsed.output };
}

/** The texts of the parameters that the route knows, and what is wrong with the names. */
function collect(place: "query" | "path", entries: v.ObjectEntries, given: readonly (readonly [string, string])[]) {
  const errors: ProblemPlace[] = [];
  const input: Record<string, string> = {};
  for (const [name, pairs = []] of Object.entries(Object.groupBy(given, ([key]) => key))) {
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    const detail = entry === undefined ? unknownName(name, entries) : repeated(entry, pairs.length);
    if (detail === undefined) input[name] = pairs.map(([, text]) => text).join(",");
    else errors.push({ in: place, name, detail });
  }
  return { input, errors };
}

function repeated(entry: v.ObjectEntries[string], times: number): string | undefined {
  return times === 1 || isRepeatable(entry) ? undefined : `is given ${times} times: give it once`;
}

/** The schema below `v.exactOptional`. */
export function unwrapped(entry: v.ObjectEntries[string]): v.GenericSchema {
  return "wrapped" in entry ? entry.wrapped : entry;
}

function isRepeatable(entry: v.ObjectEntries[string]): boolean {
  return describeParameter(unwrapped(entry)).schema.type === "array";
}

function unknownName(name: string, entries: v.ObjectEntries): string {
  const names = Object.keys(entries);
  const [nearest] = nearestNames(name, names);
  if (nearest !== undefined) return `is unknown here: did you mean ${nearest}?`;
  return names.length === 0
    ? "is unknown here: this route takes no parameters"
    : `is unknown here: this route knows ${names.join(", ")}`;
}

function sentence(errors: readonly ProblemPlace[]): string {
  return errors
    .map(({ in: place, name, detail }) => `Parameter ${JSON.stringify(name)} (${place}) ${detail}.`)
    .join(" ");
}
