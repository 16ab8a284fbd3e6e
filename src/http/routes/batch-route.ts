import * as v from "valibot";
import { markStale } from "../../query/clusters/freshness.ts";
import { batchGet, batchSchema, MAX_BATCH } from "../../query/job/batch-get.ts";
import { clusterParameter, jobNamesParameter, uidsParameter } from "../contract/parameters.ts";
import { problem } from "../contract/problem.ts";
import { defineRoute } from "../contract/route.ts";

export const batchRoute = defineRoute({
  template: "/v1/clusters/{cluster}/jobs/batch",
  operationId: "batchGetJobs",
  summary: `Get up to ${MAX_BATCH} Jobs of one cluster by uid or by namespace and name`,
  path: { cluster: clusterParameter },
  query: { uid: v.exactOptional(uidsParameter), job: v.exactOptional(jobNamesParameter) },
  answer: batchSchema,
  answerIs: "The Jobs that were found.",
  statuses: [],
  handle: async ({ ports, scope, now }, { cluster }, { uid = [], job = [] }) => {
    const wanted = [...uid, ...job];
    if (wanted.length === 0 || wanted.length > MAX_BATCH) {
      const detail = `Request 1 to ${MAX_BATCH} Jobs with the parameters uid and job together, not ${wanted.length}.`;
      return { problem: problem("bad-parameter", detail) };
    }
    const stores = await ports();
    const { items, missing } = await batchGet(stores, scope, { cluster, wanted });
    return { body: { items: await markStale(stores.meta, items, now), missing } };
  },
});
