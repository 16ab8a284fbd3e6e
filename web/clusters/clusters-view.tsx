import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { type Live, useLive } from "../ask/live.ts";
import { type ReadPages, readPages } from "../ask/read-pages.ts";
import { now } from "../shell/clock.ts";
import { Panel } from "../shell/panel.tsx";
import { linkTo } from "../shell/place.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithAnswer } from "../shell/with-answer.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Age } from "../text/moment.tsx";
import { number, plural } from "../text/plural.ts";
import { freshnessOf } from "./cluster-freshness.ts";
import { FreshnessSign } from "./freshness-sign.tsx";
import { GapsPanel } from "./gaps-panel.tsx";
import { SilentBanner } from "./silent-banner.tsx";
import { useClusters } from "./use-clusters.ts";

const MOST_GAPS = 5_000;
const PAGE = 1_000;
/** Gaps are seldom, and a new one comes with a silence that is shown anyway. */
const GAPS_AGAIN = 60_000;

const askGaps = (signal: AbortSignal) => readPages<ClusterGap>("gaps", {}, { most: MOST_GAPS, pageSize: PAGE }, signal);

/** Who is watched, how fresh that is, and when nobody watched. */
export function ClustersView() {
  useTitle("Clusters");
  const clusters = useClusters();
  const gaps = useLive("gaps", askGaps, { everyMillis: GAPS_AGAIN }).value;
  return (
    <>
      <SilentBanner />
      <WithAnswer live={clusters} what="the clusters" isView>
        {({ items }) => (items.length === 0 ? <NoClusters /> : <Known clusters={items} gaps={gaps} />)}
      </WithAnswer>
    </>
  );
}

function NoClusters() {
  return (
    <div class="empty">
      <h1>No cluster is known yet</h1>
      <p>One that is watched or imported is here from its first fact on. On AWS, register who may speak for it:</p>
      <pre>outlive clusters register NAME --principal-arn ARN</pre>
    </div>
  );
}

function Known({
  clusters,
  gaps,
}: {
  readonly clusters: readonly ClusterAnswer[];
  readonly gaps: Live<ReadPages<ClusterGap>>;
}) {
  const known = gaps.phase === "answered" ? gaps.answer.items : [];
  return (
    <>
      <Panel id="clusters" title={plural(clusters.length, "cluster")} level={1}>
        <div class="scroll">
          <table>
            <caption class="only-read">Clusters and how fresh what is known of them is</caption>
            <thead>
              <tr>
                <th scope="col">Cluster</th>
                <th scope="col">Freshness</th>
                <th scope="col" class="num hide-s">
                  Last heard of
                </th>
                <th scope="col" class="num hide-s">
                  Gaps
                </th>
                <th scope="col" class="hide-s">
                  Kubernetes
                </th>
                <th scope="col" class="num hide-s">
                  Namespaces
                </th>
                <th scope="col" class="hide-m">
                  kube-system uid
                </th>
              </tr>
            </thead>
            <tbody>
              {clusters.map((cluster) => (
                <ClusterRow
                  key={cluster.name}
                  cluster={cluster}
                  gaps={known.filter((gap) => gap.cluster === cluster.name).length}
                />
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
      <WithAnswer live={gaps} what="the gaps">
        {(read) => <GapsPanel gaps={read.items} clusters={clusters.map(({ name }) => name)} />}
      </WithAnswer>
    </>
  );
}

function ClusterRow({ cluster, gaps }: { readonly cluster: ClusterAnswer; readonly gaps: number }) {
  const { name, observedAt, serverVersion, namespaces, kubeSystemUid } = cluster;
  return (
    <tr>
      <td class="name">
        <a href={linkTo("jobs", [], { cluster: name })}>
          <ClusterText text={name} />
        </a>
      </td>
      <td>
        <FreshnessSign freshness={freshnessOf(cluster, now.value)} />
      </td>
      <td class="num hide-s">
        <Age at={observedAt} />
      </td>
      <td class="num hide-s">{number(gaps)}</td>
      <td class="hide-s">
        {serverVersion === undefined ? <span class="quiet">–</span> : <ClusterText text={serverVersion} />}
      </td>
      <td class="num hide-s">{number(namespaces.length)}</td>
      <td class="mono hide-m">
        {kubeSystemUid === undefined ? <span class="quiet">–</span> : <ClusterText text={kubeSystemUid} />}
      </td>
    </tr>
  );
}
