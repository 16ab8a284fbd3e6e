import { useLive } from "../api/live.ts";
import { HistoryList } from "../job/history-panel.tsx";
import { goTo } from "../shell/location.ts";
import { Panel } from "../shell/panel.tsx";
import type { PodName } from "../shell/route.ts";
import { WithLive } from "../shell/with-live.tsx";
import { plural } from "../text/plural.ts";
import { loadPodHistory } from "./pod-requests.ts";

const HISTORY_INTERVAL = 60_000;

/** The facts and events about the Pod, in order. Each row opens its Job as of that time. */
export function PodHistoryPanel({ pod }: { readonly pod: PodName }) {
  const { cluster, namespace, job, jobUid } = pod;
  const live = useLive(JSON.stringify(pod), loadPodHistory(pod), { everyMillis: HISTORY_INTERVAL }).value;
  const openAsOf = (asOf: string): void =>
    goTo({
      view: "job",
      path: [cluster, namespace, job],
      parameters: { ...(jobUid !== undefined && { uid: jobUid }), asOf },
    });
  return (
    <Panel
      id="history"
      title="Facts and events"
      remark={live.phase === "answered" ? plural(live.answer.items.length, "fact") : ""}
      long
    >
      <WithLive live={live} what="the facts">
        {({ items, more }) => <HistoryList items={items} more={more} onOpen={openAsOf} />}
      </WithLive>
    </Panel>
  );
}
