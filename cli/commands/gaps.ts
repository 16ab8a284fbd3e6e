import type { Command } from "commander";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { getItems } from "../../src/host/client/api-client.ts";
import { failForUnknownPlace } from "../query/unknown-place.ts";
import { withClient } from "../query/with-client.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { addQueryOptions, clusterOption, type PrintOptions, type SourceOptions } from "../options/query-options.ts";
import { TIME_FORM, timeOption } from "../options/time-option.ts";
import type { Column } from "../output/table.ts";

interface GapsOptions extends SourceOptions, PrintOptions {
  readonly cluster?: string;
  readonly since?: string;
}

export function define(command: Command): void {
  command
    .addOption(clusterOption("gaps of this cluster (default: all clusters)"))
    .addOption(timeOption("--since <time>", `gaps that ended after this time (${TIME_FORM})`));
  addQueryOptions(command, { name: NAMELESS }).action(async (options: GapsOptions) =>
    withClient(options, async (api) => {
      const { items } = await getItems<ClusterGap>(api, "/v1/gaps", {
        cluster: options.cluster,
        since: options.since,
      });
      if (items.length === 0) await failForUnknownPlace(api, options);
      if (items.length === 0 && isForPeople(options)) return remark("No monitoring gaps.");
      await printAnswer(options, {
        document: { items },
        rows: items,
        columns: COLUMNS,
        name: ({ cluster }) => cluster,
      });
    }),
  );
  addExamples(command, [
    ["outlive gaps", "list the times without a complete watch; they limit the completeness of Jobs"],
    ["outlive gaps --since 7d", "list those of the last seven days"],
  ]);
}

const NAMELESS =
  'Gaps have no names. Use table, wide, json, yaml or csv. "outlive clusters -o name" prints the names of clusters.';

const COLUMNS: readonly Column<ClusterGap>[] = [
  { header: "CLUSTER", cell: ({ cluster }) => cluster },
  { header: "FROM", cell: ({ from }) => from },
  { header: "TO", cell: ({ to }) => to },
  { header: "RESOURCES", cell: ({ resources }) => resources.join(",") },
  { header: "REASON", cell: ({ reason }) => reason },
];
