import type { Fact } from "../../../src/job/model/fact.ts";
import type { RunPorts } from "../../../src/query/ports.ts";
import { storesWithFacts } from "./stores-with-facts.ts";

/** What queries about runs read, with `facts` of cluster "east". */
export async function runPortsWith(facts: readonly Fact[]): Promise<RunPorts> {
  const { projections, meta, log } = await storesWithFacts(facts);
  return { jobs: projections.open("A"), runs: projections.runs("A"), meta, log };
}
