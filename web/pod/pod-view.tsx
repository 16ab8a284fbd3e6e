import type { Attempt } from "../../src/explain/answer-document.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { useLive } from "../api/live.ts";
import { useClusters } from "../clusters/use-clusters.ts";
import { route } from "../shell/location.ts";
import { linkToJob, type PodName, podOfRoute } from "../shell/route.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { UsagePanel } from "../usage/usage-panel.tsx";
import { ContainersPanel } from "./containers-panel.tsx";
import { gapsDuring } from "./pod-life.ts";
import { PodGaps } from "./pod-gaps.tsx";
import { PodHeader } from "./pod-header.tsx";
import { PodHistoryPanel } from "./pod-history-panel.tsx";
import { PodTimelinePanel } from "./pod-timeline-panel.tsx";
import { PodTimesPanel } from "./pod-times-panel.tsx";
import { loadGaps, loadPod } from "./pod-requests.ts";
import { shownText } from "../text/shown-text.ts";

/** A change of its Job triggers a reload, so a minute is enough. */
const INTERVAL = 60_000;

/** One Pod: `#/pod/prod/batch/report/POD_UID?uid=JOB_UID`. */
export function PodView() {
  const pod = podOfRoute(route.value);
  const { namespace, job } = pod;
  const isOld = (changed: { readonly namespace: string; readonly name: string }): boolean =>
    changed.name === job && changed.namespace === namespace;
  const live = useLive(JSON.stringify(pod), loadPod(pod), { isOld, everyMillis: INTERVAL }).value;
  return (
    <WithLive live={live} what="the Pod" isView>
      {({ items: [attempt] }) =>
        attempt === undefined ? <NoSuchPod pod={pod} /> : <PodSections pod={pod} attempt={attempt} />
      }
    </WithLive>
  );
}

function NoSuchPod({ pod }: { readonly pod: PodName }) {
  return (
    <div class="empty">
      <h1>No such Pod</h1>
      <p class="breaks">
        Job{" "}
        <a href={linkToJob({ ...pod, name: pod.job, uid: pod.jobUid })}>
          <ClusterText text={pod.job} />
        </a>{" "}
        has no Pod with uid {shownText(pod.uid)}.
      </p>
    </div>
  );
}

interface PodSectionsProps {
  readonly pod: PodName;
  readonly attempt: Attempt;
}

function PodSections({ pod, attempt }: PodSectionsProps) {
  useTitle(`Pod ${shownText(attempt.name)} in ${shownText(pod.namespace)}`);
  const { cluster } = pod;
  const read = useLive(`${cluster} ${attempt.createdAt}`, loadGaps(cluster, attempt.createdAt), {
    everyMillis: INTERVAL,
  }).value;
  const gaps = read.phase === "answered" ? gapsDuring(read.answer.items, attempt) : NO_GAPS;
  const heardAt = useHeardAt(cluster) ?? attempt.createdAt;
  return (
    <>
      <PodHeader pod={pod} attempt={attempt} />
      <PodGaps gaps={gaps} />
      <PodTimesPanel pod={pod} attempt={attempt} heardAt={heardAt} />
      <PodTimelinePanel attempt={attempt} gaps={gaps} heardAt={heardAt} />
      <ContainersPanel attempt={attempt} />
      <UsagePanel usage={attempt.usage} />
      <PodHistoryPanel pod={pod} />
    </>
  );
}

const NO_GAPS: readonly ClusterGap[] = [];

/** When the cluster was last heard of. The top bar shares the request. */
function useHeardAt(cluster: string): string | undefined {
  const live = useClusters();
  const clusters = live.phase === "answered" ? live.answer.items : [];
  return clusters.find(({ name }) => name === cluster)?.observedAt;
}
