import * as fc from "fast-check";
import type { Fact, FactKind, JobFact, JobObjectFact, PodFact } from "../../../src/job/model/fact.ts";
import { CLUSTER_FACTS } from "./arbitrary-cluster-facts.ts";
import { JOB_OBJECT_FACTS } from "./arbitrary-job-facts.ts";
import { POD_FACTS } from "./arbitrary-pod-facts.ts";

/** A fact about a Job object. */
const arbitraryJobObjectFact: fc.Arbitrary<JobObjectFact> = fc.oneof(...Object.values(JOB_OBJECT_FACTS));
/** A fact about a Pod of a Job. */
const arbitraryPodFact: fc.Arbitrary<PodFact> = fc.oneof(...Object.values(POD_FACTS));
/** A fact that belongs to a Job's record. */
const arbitraryJobFact: fc.Arbitrary<JobFact> = fc.oneof(arbitraryJobObjectFact, arbitraryPodFact);
/** A fact of any kind. */
export const arbitraryFact: fc.Arbitrary<Fact> = fc.oneof(
  { weight: 4, arbitrary: arbitraryJobFact },
  { weight: 1, arbitrary: fc.oneof(...Object.values(CLUSTER_FACTS)) },
);
/** One arbitrary for each kind of fact, by its name. */
export const arbitraryFactOfKind: Readonly<Record<FactKind, fc.Arbitrary<Fact>>> = {
  ...JOB_OBJECT_FACTS,
  ...POD_FACTS,
  ...CLUSTER_FACTS,
};
