import { useMemo } from "preact/hooks";
import type { CronRunAnswer } from "../../src/query/cron-jobs/cron-run.ts";
import { Panel } from "../shell/panel.tsx";
import { Plot } from "../shell/plot.tsx";
import { plural } from "../text/plural.ts";
import { millisOf } from "../text/instant-text.ts";

/** Start delay and duration over time. Two plots, because one is in seconds and the other in hours. */
export function TrendPanel({ runs }: { readonly runs: readonly CronRunAnswer[] }) {
  const delay = useMemo(() => trendOf(runs, "delaySeconds"), [runs]);
  const duration = useMemo(() => trendOf(runs, "durationSeconds"), [runs]);
  if (runs.length < 2) return null;
  const hasDurations = runs.some(({ durationSeconds }) => durationSeconds !== undefined);
  return (
    <Panel id="trend" title="Start delay and duration" remark="of each run; the table of runs has the values">
      <div class="inside two even">
        <Plot
          label={`Start delay of ${plural(runs.length, "run")} over time`}
          data={delay}
          name="Start delay"
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

/** Columns for uPlot, which needs mutable arrays: seconds since 1970, then durations in seconds or `null`. */
type Trend = [number[], (number | null)[]];

/** One duration of each run, in order of time. */
function trendOf(runs: readonly CronRunAnswer[], span: "delaySeconds" | "durationSeconds"): Trend {
  const ordered = [...runs].sort((a, b) => atOf(a) - atOf(b));
  return [ordered.map(atOf), ordered.map((run) => run[span] ?? null)];
}

function atOf({ scheduledAt, createdAt }: CronRunAnswer): number {
  return (millisOf(scheduledAt ?? createdAt) ?? 0) / 1_000;
}
