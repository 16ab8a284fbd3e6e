import { HOUR_MILLIS, hourOf } from "../../src/job/model/instant.ts";
import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { type Live, useLive } from "../api/live.ts";
import { type ReadPages, readPages } from "../api/read-pages.ts";
import { request } from "../api/request.ts";
import { now } from "../shell/clock.ts";
import { route, setParameters } from "../shell/location.ts";
import { Panel } from "../shell/panel.tsx";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { plural } from "../text/plural.ts";
import { ClusterTable } from "./cluster-table.tsx";
import { FleetGrid } from "./fleet-grid.tsx";
import { fleetText, fleetTiles, TILE_MILLIS } from "./fleet.ts";
import { GapsPanel } from "./gaps-panel.tsx";
import { NotReportingBanner } from "./not-reporting-banner.tsx";
import { useClusters } from "./use-clusters.ts";

const MAX_GAPS = 5_000;
const PAGE_SIZE = 1_000;
/** Gaps are rare, and the freshness of a cluster shows an ongoing one earlier. */
const GAPS_INTERVAL = 60_000;
/** A summary of all clusters reads sums of each. */
const JOBS_INTERVAL = 300_000;

const loadGaps = (signal: AbortSignal) =>
  readPages<ClusterGap>({ path: "gaps", parameters: {}, most: MAX_GAPS, pageSize: PAGE_SIZE }, signal);

/** The Jobs of the last day by cluster, of whole hours, which are counted. */
const loadJobs = (signal: AbortSignal) => {
  const createdAfter = new Date(hourOf(Date.now() - TILE_MILLIS + HOUR_MILLIS) - 1).toISOString();
  return request<SummaryAnswer>("summary", { by: "cluster", createdAfter }, signal);
};

/** The fleet on one screen, silent clusters first, then each cluster and its monitoring gaps in tables. */
export function ClustersView() {
  useTitle("Clusters");
  const clusters = useClusters();
  const gaps = useLive("gaps", loadGaps, { everyMillis: GAPS_INTERVAL }).value;
  const jobs = useLive("jobs", loadJobs, { everyMillis: JOBS_INTERVAL }).value;
  return (
    <>
      <NotReportingBanner />
      <WithLive live={clusters} what="the clusters" isView>
        {({ items }) =>
          items.length === 0 ? <NoClusters /> : <KnownClusters clusters={items} gaps={gaps} jobs={jobs} />
        }
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
  readonly jobs: Live<SummaryAnswer>;
}

function KnownClusters({ clusters, gaps, jobs }: KnownClustersProps) {
  const known = gaps.phase === "answered" ? gaps.answer.items : [];
  const byCluster = Map.groupBy(known, ({ cluster }) => cluster);
  const wanted = (route.value.parameters["q"] ?? "").toLowerCase();
  const shown = clusters.filter(({ name }) => name.toLowerCase().includes(wanted));
  const groups = jobs.phase === "answered" ? jobs.answer.groups : undefined;
  const tiles = fleetTiles({ clusters: shown, gaps: known, jobs: groups, now: now.value });
  return (
    <>
      <Panel
        id="fleet"
        title={wanted === "" ? plural(clusters.length, "cluster") : `${shown.length} of ${clusters.length} clusters`}
        level={1}
        remark={
          <>
            {fleetText(tiles)} Strips show these hours; what was not observed is hatched. <NameFilter />
          </>
        }
      >
        {gaps.phase === "loading" ? <p class="inside waiting">Loading the gaps…</p> : <FleetGrid tiles={tiles} />}
      </Panel>
      <Panel id="clusters" title="Each cluster">
        <ClusterTable clusters={shown} gapsOf={(name) => byCluster.get(name)?.length ?? 0} />
      </Panel>
      <WithLive live={gaps} what="the monitoring gaps">
        {(read) => <GapsPanel gaps={read.items} clusters={clusters} />}
      </WithLive>
    </>
  );
}

function NameFilter() {
  return (
    <input
      type="search"
      data-filter
      aria-label="Name of a cluster"
      placeholder="Name of a cluster"
      value={route.value.parameters["q"] ?? ""}
      onInput={(event) => setParameters({ q: event.currentTarget.value }, "replace")}
    />
  );
}
