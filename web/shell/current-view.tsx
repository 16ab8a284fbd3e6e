import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AttentionView } from "../attention/attention-view.tsx";
import { route } from "./location.ts";
import type { View } from "./route.ts";

/** The view of the current route. Other views than the landing view are loaded on demand, so that it appears early. */
export function CurrentView() {
  const { view } = route.value;
  const Loaded = useLoaded(view);
  return Loaded === undefined ? <h1 class="empty waiting">Loading…</h1> : <Loaded />;
}

const EAGER_VIEWS: Partial<Record<View, ComponentType>> = { attention: AttentionView };

const LAZY_VIEWS: Partial<Record<View, () => Promise<ComponentType>>> = {
  jobs: async () => (await import("../jobs/jobs-view.tsx")).JobsView,
  job: async () => (await import("../job/job-view.tsx")).JobView,
  pod: async () => (await import("../pod/pod-view.tsx")).PodView,
  runs: async () => (await import("../runs/runs-view.tsx")).RunsView,
  cronjobs: async () => (await import("../cron-jobs/cron-jobs-view.tsx")).CronJobsView,
  compare: async () => (await import("../compare/compare-view.tsx")).CompareView,
  clusters: async () => (await import("../clusters/clusters-view.tsx")).ClustersView,
  summary: async () => (await import("../summary/summary-view.tsx")).SummaryView,
};

/** Starts to load the view of the route before anything is drawn. CurrentView handles an error. */
export function preloadView(): void {
  LAZY_VIEWS[route.peek().view]?.().catch(() => undefined);
}

function useLoaded(view: View): ComponentType | undefined {
  const [loaded, setLoaded] = useState<ComponentType | undefined>(() => EAGER_VIEWS[view]);
  useEffect(() => {
    if (loaded !== undefined) return;
    // A missing chunk belongs to a page from before an update. The new page refers to existing chunks.
    LAZY_VIEWS[view]?.().then(
      (component) => setLoaded(() => component),
      () => location.reload(),
    );
  }, [view]);
  return loaded;
}
