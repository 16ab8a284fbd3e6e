import * as v from "valibot";
import { getJobNow } from "../../query/job/get-job.ts";
import { pollJob, settledBy, waitFor } from "../../query/job/wait-for-job.ts";
import { jobAnswerSchema } from "../../explain/answer-document.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "./job-path.ts";
import { MAX_WAIT_SECONDS, POLL_MILLIS } from "../streams/long-poll.ts";
import { goalParameter, waitSecondsParameter } from "../contract/parameters.ts";
import { defineRoute, type RouteContext } from "../contract/route.ts";

export const waitRoute = defineRoute({
  template: `${JOB_TEMPLATE}/wait`,
  operationId: "waitForJob",
  summary: `Wait until a Job meets a goal or no longer can, for at most ${MAX_WAIT_SECONDS} seconds`,
  path: JOB_PATH,
  query: {
    ...UID_QUERY,
    for: v.exactOptional(goalParameter),
    timeoutSeconds: v.exactOptional(waitSecondsParameter(MAX_WAIT_SECONDS, MAX_WAIT_SECONDS)),
  },
  answer: v.object({
    outcome: v.picklist(["met", "endedOtherwise", "timedOut"]),
    job: jobAnswerSchema,
  }),
  answerIs: "The outcome of the wait, and the current state of the Job. After `timedOut`, call again.",
  statuses: [404],
  handle: async (context, path, { uid, for: goal = "finished", timeoutSeconds = MAX_WAIT_SECONDS }) => {
    const wanted = { ...path, uid };
    const wait = pauseUntil(context, timeoutSeconds);
    const asked = { scope: context.scope, wanted };
    const { outcome, answer: job } = await waitFor(goal, { read: pollJob(context, asked), pause: wait });
    if (job !== undefined) return { body: { outcome, job } };
    // Only the last answer suggests other Jobs, because searching for them takes further requests to the store.
    const last = await getJobNow(await context.ports(), asked, context.clock());
    if (last.outcome !== "answered") return { problem: unknownJob(wanted, last) };
    return { body: { outcome: settledBy(goal, last.answer) ?? outcome, job: last.answer } };
  },
});

export function pauseUntil({ clock, pause }: RouteContext, seconds: number): () => Promise<boolean> {
  const deadline = clock() + seconds * 1_000;
  return async () => {
    const left = deadline - clock();
    if (left <= 0) return false;
    return pause(Math.min(POLL_MILLIS, left));
  };
}
