import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { ApiResult, ListPage } from "../api/api-result.ts";
import { changeStream, heartbeats } from "../api/changes.ts";
import { type Live, Poller } from "../api/live.ts";
import { request } from "../api/request.ts";
import { withHeartbeats } from "./with-heartbeats.ts";

/** Half a minute, because freshness changes with time alone. */
const INTERVAL = 30_000;

type LiveClusters = Live<ListPage<ClusterAnswer>>;

/** All parts of the page share one request. */
const read = signal<LiveClusters>({ phase: "loading" });
let users = 0;
let poller: Poller<ListPage<ClusterAnswer>> | undefined;

const shown = computed((): LiveClusters => {
  const { value: live } = read;
  if (live.phase !== "answered") return live;
  return { ...live, answer: { items: withHeartbeats(live.answer.items, heartbeats.value) } };
});

export function useClusters(): LiveClusters {
  useEffect(() => {
    users += 1;
    poller ??= startedPoller();
    return () => {
      users -= 1;
      if (users === 0) stop();
    };
  }, []);
  return shown.value;
}

function startedPoller(): Poller<ListPage<ClusterAnswer>> {
  const started = new Poller(read, load, { everyMillis: INTERVAL, repeats });
  started.start();
  return started;
}

function load(signal: AbortSignal): Promise<ApiResult<ListPage<ClusterAnswer>>> {
  return request<ListPage<ClusterAnswer>>("clusters", {}, signal);
}

/** Polls for changes bring the heartbeats. */
function repeats(why: "missed" | "interval"): boolean {
  return why === "interval" && changeStream.peek() !== "polling";
}

/** The next reader may have access to others. */
function stop(): void {
  poller?.stop();
  poller = undefined;
  read.value = { phase: "loading" };
}
