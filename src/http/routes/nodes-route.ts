import * as v from "valibot";
import { DAY_MILLIS } from "../../job/model/instant.ts";
import { mayReadAll, mayReadCluster, type Scope, seesNothing, wholeClusters } from "../../query/access/scope.ts";
import { instantAt } from "../../query/list/given-time.ts";
import { failingNodes } from "../../query/nodes/failing-nodes.ts";
import { nodesSchema } from "../../explain/nodes/nodes-schema.ts";
import { MOST_NODES } from "../../explain/nodes/nodes-text.ts";
import { limitParameter, timeParameter } from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";
import { defineRoute } from "../contract/route.ts";
import { JOB_FILTER_QUERY } from "./job-filter-query.ts";

const { cluster, namespace, labelSelector, owner } = JOB_FILTER_QUERY;

const DEFAULT_MS = 7 * DAY_MILLIS;
const STANDARD_NODES = 10;

export const nodesRoute = defineRoute({
  template: "/v1/nodes",
  operationId: "listFailingNodes",
  summary: "List the nodes on which most Pods of Jobs failed, compared with the others",
  path: {},
  query: {
    cluster,
    namespace,
    labelSelector,
    owner,
    since: v.exactOptional(timeParameter("Only Jobs created at this time or later. Defaults to seven days ago.")),
    limit: v.exactOptional(limitParameter(MOST_NODES, STANDARD_NODES)),
  },
  answer: nodesSchema,
  answerIs: "The nodes.",
  statuses: [],
  handle: async (
    { ports, scope, now },
    _path,
    { since: from, limit = STANDARD_NODES, labelSelector: labels, ...same },
  ) => {
    const refused = refusalOf(scope, same.cluster);
    if (refused !== undefined) return { problem: refused };
    const since = instantAt(from, now) ?? now - DEFAULT_MS;
    const filter = { ...same, ...(labels && { labels }) };
    return { body: await failingNodes(await ports(), wholeClusters(scope), { filter, since, limit }) };
  },
});

/**
 * A node is compared with the others of its cluster, which the Pods of some namespaces do not show. A cluster that the
 * reader may not see at all is like one that does not exist.
 */
function refusalOf(scope: Scope, cluster: string | undefined): Problem | undefined {
  const isPart = cluster !== undefined && mayReadCluster(scope, cluster) && !mayReadAll(scope, cluster);
  if (!isPart && (seesNothing(scope) || !seesNothing(wholeClusters(scope)))) return undefined;
  return problem("forbidden", "A report about nodes needs read access to a whole cluster: the grant CLUSTER/*.");
}
