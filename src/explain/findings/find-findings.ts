import type { Expectation } from "../../parents/series/expectation.ts";
import type { Waiting } from "../../job/cause/waiting-cause.ts";
import type { Instant } from "../../job/model/instant.ts";
import { isLeftAlone } from "../../job/status/managed-by.ts";
import type { ExpectingContext, FindingRule } from "./finding-registration.ts";
import type { Find, FindingContext, FindingSearch } from "./finding-search.ts";
import { type Finding, FINDINGS } from "./findings.ts";

type FindInPods = Exclude<FindingRule<Finding>, { readonly of: "waitingJob" | "expectedJob" }>;

const RULES: readonly FindingRule<Finding>[] = Object.values(FINDINGS).map(({ rule }) => rule);
const OF_PODS: readonly FindInPods[] = RULES.filter((rule) => rule.of !== "waitingJob" && rule.of !== "expectedJob");
const OF_WAITING = RULES.filter((rule) => rule.of === "waitingJob");
const OF_EXPECTED = RULES.filter((rule) => rule.of === "expectedJob");

const FINDS = OF_PODS.map(({ find }) => find);
const FINDS_OF_ANY_JOB = findsOf("anyJob");
const FINDS_OF_JOB_OBJECT = findsOf("managedJobObject");

function findsOf(of: FindInPods["of"]): readonly Find<Finding>[] {
  return OF_PODS.filter((rule) => rule.of === of).map(({ find }) => find);
}

/** A search for all findings: visit each Pod of the Job once, run the further passes, then read the result. */
export function searchFindings(context: FindingContext): FindingSearch<Finding> {
  return searchAll(isLeftAlone(context.spec) ? FINDS_OF_ANY_JOB : FINDS, context);
}

/** A search for the findings that need no Pod. */
export function searchJobFindings(context: FindingContext): Pick<FindingSearch<Finding>, "found"> {
  return searchAll(isLeftAlone(context.spec) ? [] : FINDS_OF_JOB_OBJECT, context);
}

/** The findings of a Job that waits. They are listed after all others. */
export function findInWaiting(waiting: Waiting | undefined, context: { readonly now: Instant }): readonly Finding[] {
  return waiting === undefined ? [] : OF_WAITING.flatMap(({ find }) => find(waiting, context));
}

/** The findings of a Job whose series has past runs. */
export function findInExpectation(expectation: Expectation, context: ExpectingContext): readonly Finding[] {
  return OF_EXPECTED.flatMap(({ find }) => find(expectation, context));
}

function searchAll(finds: readonly Find<Finding>[], context: FindingContext): FindingSearch<Finding> {
  const searches = finds.map((find) => find(context));
  return {
    visit(pod) {
      for (const search of searches) search.visit(pod);
    },
    nextPass() {
      const visits = searches.map((search) => search.nextPass?.()).filter((visit) => visit !== undefined);
      if (visits.length === 0) return undefined;
      return (pod) => {
        for (const visit of visits) visit(pod);
      };
    },
    found: () => searches.flatMap((search) => search.found()),
  };
}
