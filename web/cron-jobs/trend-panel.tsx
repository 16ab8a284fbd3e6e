import { useMemo } from "preact/hooks";
import type { CronRunAnswer } from "../../src/query/cron-jobs/cron-run.ts";
import { Panel } from "../shell/panel.tsx";
import { Plot } from "../shell/plot.tsx";
import { plural } from "../text/plural.ts";
import { trendOf } from "./trend.ts";

/** Whether it begins later and later, or takes longer and longer. Two plots: one is of seconds, the other of hours. */
export function TrendPanel({ runs }: { readonly runs: readonly CronRunAnswer[] }) {
  const drift = useMemo(() => trendOf(runs, "delaySeconds"), [runs]);
  const duration = useMemo(() => trendOf(runs, "durationSeconds"), [runs]);
  if (runs.length < 2) return null;
  const hasDurations = runs.some(({ durationSeconds }) => durationSeconds !== undefined);
  return (
    <Panel id="trend" title="Drift and duration" remark="of each run; the table of runs has the figures">
      <div class="inside two even">
        <Plot
          label={`Drift of ${plural(runs.length, "run")} over time`}
          data={drift}
          name="Drift"
          colour="bar-terminating"
        />
        {hasDurations ? (
          <Plot
            label={`Duration of ${plural(runs.length, "run")} over time`}
            data={duration}
            name="Duration"
            colour="bar-running"
          />
        ) : null}
      </div>
    </Panel>
  );
}
