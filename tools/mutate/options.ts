import { parseArgs } from "node:util";

export interface MutateOptions {
  /** Folders or files; each is sampled on its own. */
  readonly folders: readonly string[];
  /** Mutants per folder. */
  readonly sample: number;
  readonly seed: number;
  /** The most test files per mutant. */
  readonly tests: number;
  /** How long one run of several mutants may take; a busy machine needs more. */
  readonly limitSeconds: number;
  /** A file of earlier results, which is updated. Mutants that were killed are not run again. */
  readonly results?: string;
}

/** Where a wrong line costs data or trust. */
export const CRITICAL_FOLDERS: readonly string[] = [
  "src/adapters/spool",
  "src/kubernetes/delivery",
  "src/log",
  "src/segment",
  "src/http/access",
  "src/adapters/oidc",
  "src/job",
];

/** Reads the arguments. Throws for an unknown option and for a number that is none. */
export function readMutateOptions(args: readonly string[]): MutateOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      folder: { type: "string", multiple: true },
      sample: { type: "string" },
      seed: { type: "string" },
      tests: { type: "string" },
      limit: { type: "string" },
      results: { type: "string" },
    },
  });
  return {
    folders: values.folder?.map((folder) => folder.replace(/\/$/, "")) ?? CRITICAL_FOLDERS,
    sample: count("sample", values.sample ?? "40"),
    seed: count("seed", values.seed ?? "1"),
    tests: count("tests", values.tests ?? "6"),
    limitSeconds: count("limit", values.limit ?? "300"),
    ...(values.results !== undefined && { results: values.results }),
  };
}

function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`Invalid --${name} "${text}". Use a whole number from 1.`);
  return Number(text);
}
