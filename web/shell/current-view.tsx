import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AttentionView } from "../attention/attention-view.tsx";
import { JobsView } from "../jobs/jobs-view.tsx";
import { place } from "./location.ts";
import type { View } from "./place.ts";

/** The view of the place. What most visits do not need is loaded when it is asked for, so that the list of Jobs is on the screen early. */
export function CurrentView() {
  const { view } = place.value;
  const Loaded = useLoaded(view);
  return Loaded === undefined ? <h1 class="empty waiting">Loading…</h1> : <Loaded />;
}

const AT_ONCE: Partial<Record<View, ComponentType>> = { jobs: JobsView, attention: AttentionView };

const LATER: Partial<Record<View, () => Promise<ComponentType>>> = {
  job: async () => (await import("../job/job-view.tsx")).JobView,
  cronjobs: async () => (await import("../cron-jobs/cron-jobs-view.tsx")).CronJobsView,
  clusters: async () => (await import("../clusters/clusters-view.tsx")).ClustersView,
  summary: async () => (await import("../summary/summary-view.tsx")).SummaryView,
};

/** Begins to load what the place shows, before anything is on the screen. What cannot be loaded is met again where it is shown. */
export function beginView(): void {
  LATER[place.peek().view]?.().catch(() => undefined);
}

function useLoaded(view: View): ComponentType | undefined {
  const [loaded, setLoaded] = useState<ComponentType | undefined>(() => AT_ONCE[view]);
  useEffect(() => {
    if (loaded !== undefined) return;
    // A chunk that is not there any more belongs to a page from before an update: the new page names its own.
    LATER[view]?.().then(
      (component) => setLoaded(() => component),
      () => location.reload(),
    );
  }, [view]);
  return loaded;
}
