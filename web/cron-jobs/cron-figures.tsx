import type { CronRunsAnswer } from "../../src/query/cron-jobs/cron-runs.ts";
import { Figure } from "../shell/figure.tsx";
import { number } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";

/** Due and created runs, their start delay and their duration. */
export function CronFigures({ runs: { days, delaySeconds, durationSeconds } }: { readonly runs: CronRunsAnswer }) {
  const sum = (of: "expected" | "runs" | "complete" | "failed" | "missed"): number =>
    days.reduce((total, day) => total + day[of], 0);
  return (
    <dl class="figures">
      <Figure name="Runs" value={number(sum("runs"))} remark={`of ${number(sum("expected"))} due`} />
      <Figure name="Missed" value={number(sum("missed"))} remark="due, not created" />
      <Figure name="Failed" value={number(sum("failed"))} remark={`${number(sum("complete"))} complete`} />
      <Figure name="Start delay p50" value={seconds(delaySeconds?.p50)} remark={`p99 ${seconds(delaySeconds?.p99)}`} />
      <Figure
        name="Duration p50"
        value={seconds(durationSeconds?.p50)}
        remark={`p99 ${seconds(durationSeconds?.p99)}`}
      />
    </dl>
  );
}

function seconds(value: number | undefined): string {
  return value === undefined ? "–" : spanText(value * 1_000);
}
