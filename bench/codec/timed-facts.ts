import type { Fact } from "../../src/job/model/fact.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { TimedFact } from "../dynamodb/steady-jobs.ts";
import type { Unsealed } from "./codecs.ts";

/** The most Jobs in one segment (src/segment/sealer.ts). */
const MAX_JOBS = 400;
const SEALED_AT = Date.parse("2026-11-21T08:50:00Z");

/** Facts as an exporter seals them: one segment per window, or more if the window has too many Jobs. */
export function inWindows(
  cluster: ClusterName,
  facts: readonly TimedFact[],
  windowMillis: number,
): readonly Unsealed[] {
  const windows = Map.groupBy(facts, ({ ms }) => Math.floor(ms / windowMillis));
  return [...windows].flatMap(([window, timed]) =>
    splitByJobs(timed.map(({ fact }) => fact)).map((some, part) => ({
      cluster,
      kubeSystemUid: "0f1e2d3c-4b5a-4697-8877-665544332211",
      sealedAt: SEALED_AT + window * windowMillis,
      session: "bench00000000000",
      sequence: window * 10 + part,
      facts: some,
    })),
  );
}

function splitByJobs(facts: readonly Fact[]): readonly (readonly Fact[])[] {
  const parts: Fact[][] = [[]];
  let jobs = new Set<string>();
  for (const fact of facts) {
    if ("jobUid" in fact) jobs.add(fact.jobUid);
    if (jobs.size > MAX_JOBS) {
      parts.push([]);
      jobs = new Set();
    }
    parts.at(-1)?.push(fact);
  }
  return parts;
}
