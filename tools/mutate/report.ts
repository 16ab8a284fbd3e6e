import { type Mutant, mutantKey } from "./find-mutants.ts";
import type { MutantOutcome } from "./try-mutant.ts";

export interface MutantResult {
  readonly mutant: Omit<Mutant, "source">;
  readonly outcome: MutantOutcome | "equivalent";
}

export interface FolderResult {
  readonly folder: string;
  /** The number of all mutants, of which the results are a sample. */
  readonly mutants: number;
  readonly results: readonly MutantResult[];
}

/** The share of the sampled mutants, apart from the equivalent ones, that a test noticed; 1 where there is none. */
export function scoreOf(results: readonly MutantResult[]): number {
  const counted = results.filter(({ outcome }) => outcome !== "equivalent");
  return counted.length === 0 ? 1 : counted.filter(isNoticed).length / counted.length;
}

function isNoticed({ outcome }: MutantResult): boolean {
  return outcome === "killed" || outcome === "timed out";
}

/** A Markdown table with one line per folder, and the survivors below. */
export function formatReport(folders: readonly FolderResult[]): string {
  const rows = folders.map(({ folder, mutants, results }) => {
    const of = (...outcomes: readonly MutantResult["outcome"][]): number =>
      results.filter(({ outcome }) => outcomes.includes(outcome)).length;
    const counts = [of("killed"), of("timed out"), of("survived", "untested"), of("equivalent")];
    return `| ${[folder, mutants, results.length, ...counts, percent(scoreOf(results))].join(" | ")} |`;
  });
  const header = "| folder | mutants | sample | killed | timed out | survived | equivalent | score |";
  const survivors = folders.flatMap(({ results }) => results.filter((result) => isSurvivor(result)));
  return [header, "|---|---|---|---|---|---|---|---|", ...rows, "", ...survivors.map(survivorLine), ""].join("\n");
}

function isSurvivor({ outcome }: MutantResult): boolean {
  return outcome === "survived" || outcome === "untested";
}

function survivorLine({ mutant, outcome }: MutantResult): string {
  return `${outcome} at ${mutant.file}:${mutant.line}:${mutant.column}\n  ${mutantKey(mutant)}`;
}

function percent(share: number): string {
  return `${Math.floor(share * 1000) / 10} %`;
}
