import type { JobAnswer } from "./answer-document.ts";

/** An answer about a Job, or about a run. */
interface StatedAnswer extends Pick<JobAnswer, "completeness"> {
  readonly verdict: { readonly state: string };
}

/** The state of a Job or a run as tables show it. A stale state was true when the cluster was last heard of. */
export function stateText({ verdict, completeness }: StatedAnswer): string {
  return completeness.level === "stale" ? `${verdict.state} (stale)` : verdict.state;
}

/** A note about Jobs whose state is stale; `undefined` if none is. */
export function staleText(jobs: readonly Pick<JobAnswer, "cluster" | "completeness">[]): string | undefined {
  const stale = jobs.filter(({ completeness }) => completeness.level === "stale");
  if (stale.length === 0) return undefined;
  const latest = new Map<string, string>();
  for (const { cluster, completeness } of stale) {
    const known = latest.get(cluster) ?? "";
    latest.set(cluster, (completeness.heardAt ?? "") > known ? (completeness.heardAt ?? "") : known);
  }
  const clusters = [...latest].map(([cluster, heardAt]) => `${cluster} since ${heardAt}`).join(", ");
  const jobsText = stale.length === 1 ? "1 Job is shown" : `${stale.length} Jobs are shown`;
  return `No data from cluster ${clusters}: ${jobsText} in the last known state, and may have changed since.`;
}
