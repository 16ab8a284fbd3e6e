import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import type { CronDay } from "../../src/query/cron-jobs/cron-days.ts";
import { useLive } from "../api/live.ts";
import type { ListColumn } from "../table/list-column.ts";
import { loadRuns } from "./cron-requests.ts";
import { cellText, dayText, toneOf } from "./heat-day.ts";

const INTERVAL = 120_000;

interface HeatRowProps {
  readonly cronJob: CronJobAnswer;
  /** The first has the name, which heads the row. The others follow the days. */
  readonly columns: readonly ListColumn<CronJobAnswer>[];
  readonly days: readonly string[];
}

/** The days of one CronJob. */
export function HeatRow({ cronJob, columns: [head, ...others], days }: HeatRowProps) {
  const { cluster, namespace, name } = cronJob;
  const isOld = (job: { readonly owner?: { readonly name: string } }): boolean => job.owner?.name === name;
  const load = loadRuns(cronJob, { daysOnly: true });
  const live = useLive(`${cluster} ${namespace} ${name}`, load, { everyMillis: INTERVAL, isOld }).value;
  const byDay = new Map((live.phase === "answered" ? live.answer.days : []).map((day) => [day.day, day]));
  return (
    <tr class={live.phase === "loading" ? "waiting" : undefined}>
      <th scope="row">{head?.cell(cronJob)}</th>
      {live.phase === "failed" ? (
        <td colSpan={days.length} class="quiet">
          No answer: {live.failure.detail}
        </td>
      ) : (
        days.map((day) => (
          <td key={day}>
            <DayCell day={byDay.get(day)} />
          </td>
        ))
      )}
      {others.map((column) => (
        <td key={column.id} class={column.class}>
          {column.cell(cronJob)}
        </td>
      ))}
    </tr>
  );
}

/** An unknown day is an empty cell. */
export function DayCell({ day }: { readonly day: CronDay | undefined }) {
  if (day === undefined) return <span class="cell" />;
  return (
    <span class={`cell h-${toneOf(day)}`} title={dayText(day)}>
      <span aria-hidden="true">{cellText(day)}</span>
      <span class="only-read">{dayText(day)}</span>
    </span>
  );
}
