/** A step of the tour: a view of the demo's data, and what to see there. */
export interface TourStep {
  /** The fragment of the view. */
  readonly hash: string;
  readonly title: string;
  readonly text: string;
}

/** The names are those of the recorded and of the generated clusters of `outlive demo`. */
export const TOUR_STEPS: readonly TourStep[] = [
  {
    hash: "#/attention",
    title: "What needs attention",
    text:
      "What failed comes first, then what is at risk. Clusters named generated-… were made for this demo; " +
      "all others are recordings of real control planes.",
  },
  {
    hash: "#/job/pod-gc-ate-success/pod-gc-ate-success/render-0018",
    title: "A Job that ran nine times",
    text:
      "A recorded incident: each of its Pods succeeded, and was deleted before Kubernetes counted it. " +
      "Kubernetes reports one success. The log has all nine, and who deleted them.",
  },
  {
    hash: "#/cronjobs/generated-eu/finance/nightly-report",
    title: "A CronJob with missed runs",
    text:
      "A due time without a run is missed only if the cluster was watched then. " +
      "The runs of the last week take longer than those before: that is a finding too.",
  },
  {
    hash: "#/runs/generated-eu/ml/JobSet/train-ranker-137",
    title: "A JobSet in a queue",
    text:
      "Kueue queued it, admitted it, and preempted it for another run. " +
      "Its Jobs, their Pods and both waits are on one time axis.",
  },
  {
    hash: "#/summary?cluster=generated-eu",
    title: "All of it over time",
    text:
      "How many Jobs failed, how long they took, and how much reserved Pod time was wasted. " +
      "Monitoring gaps are hatched, not drawn as zero.",
  },
];

/** The step, from 1, that the query of an address names; `undefined` for no or another number. */
export function stepIn(search: string): number | undefined {
  const step = Number(new URLSearchParams(search).get("tour") ?? Number.NaN);
  return TOUR_STEPS[step - 1] === undefined ? undefined : step;
}

/** The relative address of a step. */
export function addressOf(step: number): string {
  return `?tour=${step}${TOUR_STEPS[step - 1]?.hash ?? ""}`;
}
