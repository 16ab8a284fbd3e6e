import { useState } from "preact/hooks";
import type { Attempt } from "../../src/explain/answer-document.ts";
import type { Category } from "../../src/job/attribution/category.ts";
import { request } from "../api/request.ts";
import type { ListPage } from "../api/api-result.ts";
import { pathOf } from "../job/job-requests.ts";
import { number, plural } from "../text/plural.ts";
import type { JobFinding } from "./finding-groups.ts";

/** Lists do not contain why Pods failed. On request, the page reads it from the Pods, for a limited number of Jobs. */
const MAX_JOBS = 50;
const MAX_PODS = 100;

type Counted = ReadonlyMap<Category, number>;

/** Why the Pods of Jobs that reached a limit failed, by category. */
export function CauseCount({ jobFindings }: { readonly jobFindings: readonly JobFinding[] }) {
  const [counted, setCounted] = useState<Counted | "not started" | "counting" | "failed">("not started");
  const jobs = jobFindings.slice(0, MAX_JOBS).map(({ job }) => job);
  const count = async (): Promise<void> => {
    setCounted("counting");
    const counts = new Map<Category, number>();
    for (const job of jobs) {
      // One request after the other, to limit the load on the server.
      const { signal } = new AbortController();
      const response = await request<ListPage<Attempt>>(
        `${pathOf(job)}/pods`,
        { uid: job.uid, limit: MAX_PODS },
        signal,
      );
      if (response.outcome !== "answered") return setCounted("failed");
      for (const { outcome, category = "unknown" } of response.answer.items) {
        if (outcome === "Failed") counts.set(category, (counts.get(category) ?? 0) + 1);
      }
    }
    setCounted(counts);
  };
  if (counted === "not started" || counted === "failed") {
    return (
      <button type="button" onClick={() => void count()}>
        {counted === "failed" ? "No answer; retry" : `Count the failed Pods of ${plural(jobs.length, "Job")} by cause`}
      </button>
    );
  }
  if (counted === "counting") return <p class="quiet waiting">Counting…</p>;
  return (
    <ul class="pods-named" aria-label="Failed Pods by cause">
      {[...counted]
        .sort((a, b) => b[1] - a[1])
        .map(([category, pods]) => (
          <li key={category} class="tag">
            {category} {number(pods)}
          </li>
        ))}
    </ul>
  );
}
