import * as v from "valibot";
import { problem } from "../contract/problem.ts";
import { defineRoute, type Reply } from "../contract/route.ts";

const healthSchema = v.object({ status: v.literal("ok") });

export const healthzRoute = defineRoute({
  template: "/v1/healthz",
  operationId: "healthz",
  summary: "Check whether the server runs",
  path: {},
  query: {},
  answer: healthSchema,
  answerIs: "The server runs.",
  statuses: [],
  open: true,
  handle: async () => ({ body: { status: "ok" } }),
});

export const readyzRoute = defineRoute({
  template: "/v1/readyz",
  operationId: "readyz",
  summary: "Check whether the server can read its store",
  path: {},
  query: {},
  answer: healthSchema,
  answerIs: "The server can read its store.",
  statuses: [503],
  open: true,
  handle: async ({ ports, writeProblem }) => {
    try {
      await (await ports()).meta.list("cluster", { prefix: "", limit: 1 });
      const reason = await writeProblem();
      return reason === undefined ? { body: { status: "ok" } } : notReady(`No data can be added. ${reason}`);
    } catch {
      // Any error means that the store cannot be read. The next request logs the cause.
      return notReady("The store cannot be read. Retry in a moment; the server's log has the cause.");
    }
  },
});

function notReady(detail: string): Reply {
  return { problem: problem("not-ready", detail) };
}
