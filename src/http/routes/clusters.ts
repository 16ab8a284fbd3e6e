import * as v from "valibot";
import { listClusters } from "../../query/clusters/clusters.ts";
import { clusterSchema } from "../contract/components.ts";
import { defineRoute } from "../contract/route.ts";

export const clustersRoute = defineRoute({
  template: "/v1/clusters",
  operationId: "listClusters",
  summary: "Clusters, how fresh what is known of them is, and their namespaces that have had Jobs",
  path: {},
  query: {},
  answer: v.object({ items: v.array(clusterSchema) }),
  answerIs: "Every cluster the reader may see.",
  statuses: [],
  handle: async ({ ports, scope }) => ({ body: { items: await listClusters((await ports()).meta, scope) } }),
});
