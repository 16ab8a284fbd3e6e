import type { Waiting } from "../../job/cause/waiting-cause.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import type { Verdict } from "../../job/status/job-verdict.ts";
import type { Expectation } from "../../parents/series/expectation.ts";
import type { FactRef } from "../answer-document.ts";
import type { Clause } from "../headline/clause.ts";
import type { Find } from "./finding-search.ts";

/** Everything about one kind of finding: how it is found, and what is said about it. */
export interface FindingRegistration<Found> {
  readonly rule: FindingRule<Found>;
  /** One sentence. */
  readonly message: (finding: Found) => string;
  /** The facts that show it, each with a clause whose subject is the object. */
  readonly evidence: (finding: Found) => readonly FactRef[];
  /** How to fix it: sentences in the imperative. */
  readonly remedies: (finding: Found) => readonly string[];
  /** The finding in a few words, and where the headline has them. */
  readonly headline: "none" | HeadlinePart<Found>;
  /** It contradicts what Kubernetes reports about the Job as a whole. */
  readonly contradictsReport?: true;
  /** How many of its Pods are stuck: they may have succeeded. */
  readonly stuckPods?: (finding: Found) => number;
}

export interface HeadlinePart<Found> {
  readonly place: HeadlinePlace;
  readonly clauses: (finding: Found) => readonly Clause[];
}

/** What the page calls findings of one kind. It is an export of its own, so that the page's bundle has no rule. */
export interface KindText {
  /** The kind as a heading. */
  readonly title: string;
  /** What it means, in one sentence. */
  readonly meaning: string;
}

/**
 * How a finding is found. `anyJob`: by the Pods of any Job, whichever controller manages it. `managedJob`: only in Jobs
 * of the Job controller. `managedJobObject`: the same, and the Job object alone may show it; with its Pods it may say
 * more. `waitingJob`: by what the Job waits for. `expectedJob`: by how long runs of its series take.
 */
export type FindingRule<Found> =
  | { readonly of: "anyJob" | "managedJob" | "managedJobObject"; readonly find: Find<Found> }
  | { readonly of: "waitingJob"; readonly find: FindInWaiting<Found> }
  | { readonly of: "expectedJob"; readonly find: FindInExpectation<Found> };
export type FindInWaiting<Found> = (waiting: Waiting, context: { readonly now: Instant }) => readonly Found[];
export type FindInExpectation<Found> = (expectation: Expectation, context: ExpectingContext) => readonly Found[];
export interface ExpectingContext {
  readonly job: JobObject;
  readonly verdict: Verdict;
  readonly now: Instant;
}

/** `lost`: lost or repeated work. `doubtful`: the report is in doubt. `unknown`: not where the cause says it. */
export type HeadlinePlace = "lost" | "doubtful" | "unknown" | "rest" | "limit" | "behind";
