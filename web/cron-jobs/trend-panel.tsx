import { useMemo } from "preact/hooks";
import type { CronRunAnswer } from "../../src/query/cron-runs.ts";
import { Plot } from "../shell/plot.tsx";
import { plural } from "../text/plural.ts";
import { trendOf } from "./trend.ts";

/** Whether it begins later and later, or takes longer and longer. */
export function TrendPanel({ runs }: { readonly runs: readonly CronRunAnswer[] }) {
  const data = useMemo(() => trendOf(runs), [runs]);
  if (runs.length < 2) return null;
  return (
    <section class="panel" aria-labelledby="trend-title">
      <header>
        <h2 id="trend-title">Drift and duration</h2>
        <span class="quiet">of each run; the table of runs has the figures</span>
      </header>
      <div class="inside">
        <Plot label={`Drift and duration of ${plural(runs.length, "run")} over time`} data={data} series={SERIES} />
      </div>
    </section>
  );
}

const SERIES = [
  { label: "Drift", colour: "bar-terminating" },
  { label: "Duration", colour: "bar-running" },
];
