import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { now } from "../shell/clock.ts";
import { Panel } from "../shell/panel.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { millisOf } from "../text/instant-text.ts";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";
import { GapsAxis } from "./gaps-axis.tsx";

/** Monitoring gaps, on one time axis and as a table. */
export function GapsPanel({
  gaps,
  clusters,
}: {
  readonly gaps: readonly ClusterGap[];
  readonly clusters: readonly ClusterAnswer[];
}) {
  return (
    <Panel
      id="gaps"
      title="Monitoring gaps"
      remark={
        gaps.length === 0 ? "No monitoring gaps." : `${plural(gaps.length, "gap")}. Events during a gap may be missing.`
      }
    >
      {gaps.length === 0 ? null : (
        <>
          <div class="inside">
            <GapsAxis gaps={gaps} clusters={clusters} />
          </div>
          <VirtualTable label="Monitoring gaps" rows={gaps} columns={COLUMNS} keyOf={keyOf} height="tall" />
        </>
      )}
    </Panel>
  );
}

function keyOf({ cluster, from, reason, resources }: ClusterGap): string {
  return [cluster, from, reason, ...resources].join(" ");
}

const COLUMNS: readonly Column<ClusterGap>[] = [
  { header: "Cluster", class: "w-node name", cell: ({ cluster }) => <ClusterText text={cluster} /> },
  { header: "From", class: "w-instant", cell: ({ from }) => <Moment at={from} /> },
  { header: "To", class: "w-instant hide-s", cell: ({ to }) => <Moment at={to} /> },
  {
    header: "Duration",
    class: "w-time num",
    cell: ({ from, to }) => spanText((millisOf(to) ?? now.value) - (millisOf(from) ?? now.value)),
  },
  { header: "Resources", class: "w-node hide-m", cell: ({ resources }) => resources.join(", ") },
  { header: "Reason", class: "w-rest hide-s", cell: ({ reason }) => <ClusterText text={reason} /> },
];
