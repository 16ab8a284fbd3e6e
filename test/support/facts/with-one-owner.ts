import type { Fact } from "../../../src/job/model/fact.ts";

/**
 * The facts without second creations of a Job. If they named another owner, the Job would be in two runs, one of which
 * an audit would miss until the other was projected.
 */
export function withOneOwner(facts: readonly Fact[]): readonly Fact[] {
  const created = new Set<string>();
  return facts.filter((fact) => {
    if (fact.kind !== "JobCreated") return true;
    const isFirst = !created.has(fact.jobUid);
    created.add(fact.jobUid);
    return isFirst;
  });
}
