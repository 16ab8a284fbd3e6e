import list from "./equivalents.json" with { type: "json" };
import { type Mutant, mutantKey } from "./find-mutants.ts";

/** A change that no test can notice, because the file behaves as before. */
export interface EquivalentMutant {
  /** The key of the mutant, as the report prints it. */
  readonly key: string;
  /** Why no caller can notice the change. */
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = list;

const reasons = new Map(equivalentMutants.map(({ key, reason }) => [key, reason]));

/** Why a mutant is equivalent to the original; `undefined` if it is not known to be. */
export function equivalenceOf(mutant: Mutant): string | undefined {
  return reasons.get(mutantKey(mutant));
}
