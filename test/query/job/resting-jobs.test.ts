import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterContext } from "../../../src/job/model/cluster-context.ts";
import { isJobFact, type JobFact } from "../../../src/job/model/fact.ts";
import { answerRecord } from "../../../src/explain/present-job.ts";
import { factsOf, foldJobs, type JobRecord } from "../../../src/job/model/job-record.ts";
import { RestingJobs } from "../../../src/query/job/resting-jobs.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";

const jobFact = arbitraryFact.filter(isJobFact);
const facts = fc.array(jobFact, { maxLength: 60 });
const limits = fc.record({ awake: fc.nat(3), atOnce: fc.integer({ min: 1, max: 3 }), pods: fc.nat(3) });

const NOTHING: ClusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };

/** What its answer sorts by. */
function placeOf(record: JobRecord): string {
  const { namespace, name, uid } = answerRecord(record, { cluster: "any", clusterContext: NOTHING, now: 0 });
  return [namespace, name, uid].join("\0");
}

function told(records: Iterable<JobRecord>): readonly (readonly JobFact[])[] {
  return [...records].map(factsOf);
}

describe("Jobs of which some rest", () => {
  it("give the same answers as before they were put to rest, each once, by namespace, name and uid", () => {
    fc.assert(
      fc.property(facts, limits, (given, few) => {
        const resting = new RestingJobs(few);
        for (const fact of given) resting.add(fact);
        const awake = [...foldJobs(given).values()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
        expect(told(resting.inOrder())).toEqual(told(awake));
      }),
    );
  });
});
