import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Mutant, mutantKey } from "./find-mutants.ts";
import type { MutantOutcome } from "./try-mutant.ts";

/** Outcomes of earlier runs, by mutant, in a file. Without a file, they last as long as the process. */
export class EarlierResults {
  readonly #path: string | undefined;
  readonly #outcomes: Map<string, string>;

  constructor(path?: string) {
    this.#path = path;
    this.#outcomes = new Map(path !== undefined && existsSync(path) ? readEntries(path) : []);
  }

  /** The outcome, if a test noticed the mutant. Tests may have come since for the others. */
  noticed(mutant: Mutant): "killed" | "timed out" | undefined {
    const outcome = this.#outcomes.get(mutantKey(mutant));
    return outcome === "killed" || outcome === "timed out" ? outcome : undefined;
  }

  add(mutant: Mutant, outcome: MutantOutcome): void {
    this.#outcomes.set(mutantKey(mutant), outcome);
    if (this.#path !== undefined) writeFileSync(this.#path, JSON.stringify([...this.#outcomes], null, 1));
  }
}

function readEntries(path: string): readonly (readonly [string, string])[] {
  return JSON.parse(readFileSync(path, "utf8")) as readonly (readonly [string, string])[];
}
