import * as v from "valibot";
import { clusterSchema, listClusters } from "../../query/clusters/clusters.ts";
import { defineRoute } from "../contract/route.ts";

export const clustersRoute = defineRoute({
  template: "/v1/clusters",
  operationId: "listClusters",
  summary: "List clusters, how recent their data is, and the namespaces that have had Jobs",
  path: {},
  query: {},
  answer: v.object({ items: v.array(clusterSchema) }),
  answerIs: "All clusters that the reader has access to.",
  statuses: [],
  handle: async ({ ports, scope }) => ({ body: { items: await listClusters((await ports()).meta, scope) } }),
});
