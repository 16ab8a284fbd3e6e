import { healthSchema } from "../contract/components.ts";
import { problem } from "../contract/problem.ts";
import { defineRoute } from "../contract/route.ts";

export const healthzRoute = defineRoute({
  template: "/v1/healthz",
  operationId: "healthz",
  summary: "Whether the server runs",
  path: {},
  query: {},
  answer: healthSchema,
  answerIs: "It runs.",
  statuses: [],
  open: true,
  handle: async () => ({ body: { status: "ok" } }),
});

export const readyzRoute = defineRoute({
  template: "/v1/readyz",
  operationId: "readyz",
  summary: "Whether the server can answer questions",
  path: {},
  query: {},
  answer: healthSchema,
  answerIs: "It can.",
  statuses: [503],
  open: true,
  handle: async ({ ports }) => {
    try {
      await (await ports()).meta.list("cluster", { prefix: "", limit: 1 });
      return { body: { status: "ok" } };
    } catch {
      // Whatever the store throws, it cannot be read; the next question will say why.
      return {
        problem: problem(
          "not-ready",
          "The store cannot be read now. Ask again in a moment; the server's own output has the cause.",
        ),
      };
    }
  },
});
