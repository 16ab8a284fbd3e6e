import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { type Live, useLive } from "../api/live.ts";
import { type ReadPages, readPages } from "../api/read-pages.ts";
import { Panel } from "../shell/panel.tsx";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { plural } from "../text/plural.ts";
import { ClusterTable } from "./cluster-table.tsx";
import { GapsPanel } from "./gaps-panel.tsx";
import { NotReportingBanner } from "./not-reporting-banner.tsx";
import { useClusters } from "./use-clusters.ts";

const MAX_GAPS = 5_000;
const PAGE_SIZE = 1_000;
/** Gaps are rare, and the freshness of a cluster shows an ongoing one earlier. */
const GAPS_INTERVAL = 60_000;

const loadGaps = (signal: AbortSignal) =>
  readPages<ClusterGap>({ path: "gaps", parameters: {}, most: MAX_GAPS, pageSize: PAGE_SIZE }, signal);

/** The clusters, how recent their data is, and their monitoring gaps. */
export function ClustersView() {
  useTitle("Clusters");
  const clusters = useClusters();
  const gaps = useLive("gaps", loadGaps, { everyMillis: GAPS_INTERVAL }).value;
  return (
    <>
      <NotReportingBanner />
      <WithLive live={clusters} what="the clusters" isView>
        {({ items }) => (items.length === 0 ? <NoClusters /> : <KnownClusters clusters={items} gaps={gaps} />)}
      </WithLive>
    </>
  );
}

function NoClusters() {
  return (
    <div class="empty">
      <h1>No clusters yet</h1>
      <p>A cluster is listed as soon as it is watched or imported. On AWS, register its sender:</p>
      <pre>outlive clusters register NAME --principal-arn ARN</pre>
    </div>
  );
}

interface KnownClustersProps {
  readonly clusters: readonly ClusterAnswer[];
  readonly gaps: Live<ReadPages<ClusterGap>>;
}

function KnownClusters({ clusters, gaps }: KnownClustersProps) {
  const known = gaps.phase === "answered" ? gaps.answer.items : [];
  const gapsOf = (name: string): number => known.filter(({ cluster }) => cluster === name).length;
  return (
    <>
      <Panel id="clusters" title={plural(clusters.length, "cluster")} level={1}>
        <ClusterTable clusters={clusters} gapsOf={gapsOf} />
      </Panel>
      <WithLive live={gaps} what="the monitoring gaps">
        {(read) => <GapsPanel gaps={read.items} clusters={clusters} />}
      </WithLive>
    </>
  );
}
