import type { Command } from "commander";
import { getJson } from "../../src/host/client/api-client.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import type { NodeAnswer, NodesAnswer } from "../../src/explain/nodes/nodes-schema.ts";
import { MOST_NODES, nodeShareText, nodesText } from "../../src/explain/nodes/nodes-text.ts";
import { limitOption } from "../options/limit-option.ts";
import {
  addQueryOptions,
  anyNamespaceOption,
  clusterOption,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { timeOption } from "../options/time-option.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { Column } from "../output/table.ts";
import { failForUnknownPlace } from "../query/unknown-place.ts";
import { withClient } from "../query/with-client.ts";

interface NodesOptions extends SourceOptions, PrintOptions {
  readonly cluster?: string;
  readonly namespace?: string;
  readonly selector?: string;
  readonly owner?: string;
  readonly since?: string;
  readonly limit: number;
}

export function define(command: Command): void {
  command
    .addOption(anyNamespaceOption("Jobs of this namespace (default: all namespaces)"))
    .addOption(clusterOption("nodes of this cluster (default: all clusters)"))
    .option("-l, --selector <selector>", "label selector of the Jobs, as in kubectl: app=a,tier in (web,db),!legacy")
    .option("--owner <owner>", "the controller that owns the Jobs: name, kind/name or uid")
    .addOption(timeOption("--since <time>", "Jobs created since: a time, or a duration before now (default: 7d)"))
    .addOption(limitOption("print at most this many").default(10));
  addQueryOptions(command).action(async (options: NodesOptions) =>
    withClient(options, async (api) => {
      const { cluster, namespace, selector: labelSelector, owner, since } = options;
      const limit = Math.min(options.limit, MOST_NODES);
      const query = { cluster, namespace, labelSelector, owner, since, limit };
      const answer = await getJson<NodesAnswer>(api, "/v1/nodes", query);
      if (answer.nodes === 0) await failForUnknownPlace(api, options);
      await printAnswer(options, { document: answer, rows: answer.items, columns: COLUMNS, name: ({ node }) => node });
      if (isForPeople(options)) remark(nodesText(answer));
      if (answer.items.length === MOST_NODES) remark(`Printed the first ${MOST_NODES}: narrow the query.`);
      const { partial } = answer;
      if (partial !== undefined) remark(`Too many Jobs: this covers Jobs created since ${partial.since}.`);
    }),
  );
  addExamples(command, [
    ["outlive nodes", "the nodes on which most Pods failed in the last seven days"],
    ["outlive nodes --cluster prod-eu --since 2d -o wide", "those of one cluster, with the newest failed Job"],
  ]);
}

const COLUMNS: readonly Column<NodeAnswer>[] = [
  { header: "NODE", cell: ({ node }) => node, paint: ({ worse }) => (worse ? "red" : undefined) },
  { header: "CLUSTER", cell: ({ cluster }) => cluster },
  { header: "PODS", cell: ({ pods }) => pods },
  { header: "FAILED", cell: ({ failed }) => failed },
  { header: "SHARE", cell: ({ failedShare }) => nodeShareText(failedShare) },
  { header: "AT-LEAST", cell: ({ failedShareAtLeast }) => nodeShareText(failedShareAtLeast) },
  { header: "OTHERS", cell: ({ othersFailedShare }) => nodeShareText(othersFailedShare) },
  { header: "WORSE", cell: ({ worse }) => (worse ? "yes" : "no") },
  { header: "CATEGORY", cell: ({ category }) => category },
  { header: "NEWEST-JOB", wide: true, cell: ({ job }) => job && `${job.namespace}/${job.name}` },
];
