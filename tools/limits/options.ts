import { parseArgs } from "node:util";
import type { Problem } from "./problem.ts";

type Limit = Problem["limit"];

export interface Options {
  /** The limits that are checked. */
  readonly limits: ReadonlySet<Limit>;
  /** Problems are reported of the paths that begin with this. */
  readonly path: string;
}

const LIMITS: ReadonlyMap<string, Limit> = new Map([
  ["columns", "columns"],
  ["cycles", "cycle"],
  ["folders", "folder"],
  ["tests", "test"],
]);

/** Reads `[--only LIMIT,...] [PATH]`. Without it, all limits are checked. Throws for an unknown limit. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { only: { type: "string" } },
    allowPositionals: true,
  });
  const names = values.only?.split(",") ?? [...LIMITS.keys()];
  return { limits: new Set(names.map(limitOf)), path: positionals[0] ?? "" };
}

function limitOf(name: string): Limit {
  const limit = LIMITS.get(name);
  if (limit === undefined) throw new Error(`Unknown limit "${name}". Use: ${[...LIMITS.keys()].join(", ")}.`);
  return limit;
}
