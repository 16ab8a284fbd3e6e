import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import type { CronDay } from "../../src/query/cron-jobs/cron-days.ts";
import { useLive } from "../api/live.ts";
import { linkTo } from "../shell/route.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { loadRuns } from "./cron-requests.ts";
import { cellText, dayText, toneOf } from "./heat-day.ts";

const INTERVAL = 120_000;

/** The days of one CronJob. */
export function HeatRow({ cronJob, days }: { readonly cronJob: CronJobAnswer; readonly days: readonly string[] }) {
  const { cluster, namespace, name, schedule, suspend, deletedAt } = cronJob;
  const isOld = (job: { readonly owner?: { readonly name: string } }): boolean => job.owner?.name === name;
  const live = useLive(`${cluster} ${namespace} ${name}`, loadRuns(cronJob), { everyMillis: INTERVAL, isOld }).value;
  const byDay = new Map((live.phase === "answered" ? live.answer.days : []).map((day) => [day.day, day]));
  return (
    <tr>
      <th scope="row">
        <a href={linkTo("cronjobs", [cluster, namespace, name])}>
          <ClusterText text={name} />
        </a>{" "}
        <span class="quiet small mono">
          <ClusterText text={schedule ?? ""} />
        </span>
        {suspend === true ? <span class="tag"> suspended</span> : null}
        {deletedAt === undefined ? null : <span class="tag"> deleted</span>}
      </th>
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
