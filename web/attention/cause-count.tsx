import { useState } from "preact/hooks";
import type { Attempt } from "../../src/explain/answer-document.ts";
import type { Category } from "../../src/job/attribution/category.ts";
import { ask } from "../ask/ask.ts";
import type { ListPage } from "../ask/asked.ts";
import { pathOf } from "../job/job-question.ts";
import { number, plural } from "../text/plural.ts";
import type { Concern } from "./attention-groups.ts";

/** Lists do not say why Pods failed; that is read from the Pods of so many Jobs, when the reader asks. */
const MOST_JOBS = 50;
const MOST_PODS = 100;

type Counted = ReadonlyMap<Category, number>;

/** What the failed Pods behind the limits died of, by category. */
export function CauseCount({ concerns }: { readonly concerns: readonly Concern[] }) {
  const [counted, setCounted] = useState<Counted | "not asked" | "asking" | "failed">("not asked");
  const jobs = concerns.slice(0, MOST_JOBS).map(({ job }) => job);
  const count = async (): Promise<void> => {
    setCounted("asking");
    const counts = new Map<Category, number>();
    for (const job of jobs) {
      // One after the other: the reader's curiosity is no reason to hurry the server.
      const { signal } = new AbortController();
      const asked = await ask<ListPage<Attempt>>(`${pathOf(job)}/pods`, { uid: job.uid, limit: MOST_PODS }, signal);
      if (asked.outcome !== "answered") return setCounted("failed");
      for (const { outcome, category = "unknown" } of asked.answer.items) {
        if (outcome === "Failed") counts.set(category, (counts.get(category) ?? 0) + 1);
      }
    }
    setCounted(counts);
  };
  if (counted === "not asked" || counted === "failed") {
    return (
      <button type="button" onClick={() => void count()}>
        {counted === "failed"
          ? "No answer; count again"
          : `Count the failed Pods of ${plural(jobs.length, "Job")} by cause`}
      </button>
    );
  }
  if (counted === "asking") return <p class="quiet waiting">Counting…</p>;
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
