import * as v from "valibot";
import { comparisonSchema } from "../../explain/compare/comparison-document.ts";
import { compareJobs } from "../../query/compare/compare-jobs.ts";
import { compareRuns } from "../../query/compare/compare-runs.ts";
import { nameParameter, textParameter } from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";
import { defineRoute } from "../contract/route.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "./job-path.ts";
import { RUN_PATH, RUN_TEMPLATE, RUN_UID_QUERY, unknownRun } from "./run-path.ts";

const LAST_GOOD = "Defaults to the last good one: the newest that completed before it and was observed in full.";

export const jobCompareRoute = defineRoute({
  template: `${JOB_TEMPLATE}/compare`,
  operationId: "compareJobs",
  summary: "Compare a Job with the last good one of its series, owner or name, or with another one",
  path: JOB_PATH,
  query: {
    ...UID_QUERY,
    with: v.exactOptional(nameParameter(`Uid of another Job of the namespace. ${LAST_GOOD}`)),
  },
  answer: comparisonSchema,
  answerIs: "The comparison.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, with: other }) => {
    const wanted = { ...path, uid };
    const found = await compareJobs(await ports(), { scope, wanted }, { other, now });
    if (found.outcome === "compared") return { body: found.comparison };
    return { problem: found.outcome === "unknownOther" ? unknownOther("job", other) : unknownJob(wanted, found) };
  },
});

export const runCompareRoute = defineRoute({
  template: `${RUN_TEMPLATE}/compare`,
  operationId: "compareRuns",
  summary: "Compare a run with the last good one of its series or name, or with another one",
  path: RUN_PATH,
  query: {
    ...RUN_UID_QUERY,
    with: v.exactOptional(
      textParameter(`Uid of another run of the namespace, or the name of one of its kind. ${LAST_GOOD}`),
    ),
  },
  answer: comparisonSchema,
  answerIs: "The comparison.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, with: other }) => {
    const wanted = { ...path, uid };
    const found = await compareRuns(await ports(), { scope, wanted }, { other, now });
    if (found.outcome === "compared") return { body: found.comparison };
    return { problem: found.outcome === "unknownOther" ? unknownOther("run", other) : unknownRun(wanted, found) };
  },
});

function unknownOther(what: "job" | "run", uid = ""): Problem {
  const thing = what === "job" ? "Job" : "run";
  return problem(`no-such-${what}`, `No ${thing} of the namespace has the uid ${JSON.stringify(uid)} of "with".`);
}
