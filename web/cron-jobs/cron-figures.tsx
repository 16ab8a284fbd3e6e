import type { CronRunsAnswer } from "../../src/query/cron-jobs/cron-runs.ts";
import { Figure } from "../shell/figure.tsx";
import { number } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";

/** Expected against made, and how late and how long. */
export function CronFigures({ runs: { days, delaySeconds, durationSeconds } }: { readonly runs: CronRunsAnswer }) {
  const sum = (of: "expected" | "runs" | "complete" | "failed" | "missed"): number =>
    days.reduce((total, day) => total + day[of], 0);
  return (
    <dl class="figures">
      <Figure name="Runs" value={number(sum("runs"))} remark={`of ${number(sum("expected"))} that were due`} />
      <Figure name="Missed" value={number(sum("missed"))} remark="due and never made" />
      <Figure name="Failed" value={number(sum("failed"))} remark={`${number(sum("complete"))} complete`} />
      <Figure
        name="Drift p50"
        value={seconds(delaySeconds?.p50)}
        remark={`from due to made; p99 ${seconds(delaySeconds?.p99)}`}
      />
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
