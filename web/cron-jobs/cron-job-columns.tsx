import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import { linkTo } from "../shell/route.ts";
import type { ListColumn } from "../table/list-column.ts";
import type { OfferedColumns } from "../table/shown-columns.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { millisOf } from "../text/instant-text.ts";
import { Age } from "../text/moment.tsx";

const NAME: ListColumn<CronJobAnswer> = {
  id: "name",
  header: "CronJob",
  class: "corner",
  rem: 15,
  shown: "always",
  cell: ({ cluster, namespace, name, schedule, suspend, deletedAt }) => (
    <>
      <a href={linkTo("cronjobs", [cluster, namespace, name])}>
        <ClusterText text={name} />
      </a>{" "}
      <span class="quiet small mono">
        <ClusterText text={schedule ?? ""} />
      </span>
      {suspend === true ? <span class="tag"> suspended</span> : null}
      {deletedAt === undefined ? null : <span class="tag"> deleted</span>}
    </>
  ),
  order: { by: "name", of: ({ name }) => name, first: "ascending" },
  fields: {
    name: ({ name }) => name,
    schedule: ({ schedule }) => schedule,
    suspended: ({ suspend }) => String(suspend === true),
    deleted: ({ deletedAt }) => deletedAt,
  },
};

/** Every column of the list of CronJobs, in its order. The days are between the first one and the others. */
export const OFFERED_CRON_JOB_COLUMNS: OfferedColumns<CronJobAnswer> = {
  columns: [
    NAME,
    {
      id: "place",
      header: "Cluster / namespace",
      class: "word quiet",
      rem: 13,
      shown: "chosen",
      cell: ({ cluster, namespace }) => (
        <>
          <ClusterText text={cluster} /> / <ClusterText text={namespace} />
        </>
      ),
      order: { by: "place", of: ({ cluster, namespace }) => `${cluster} ${namespace}`, first: "ascending" },
      fields: { cluster: ({ cluster }) => cluster, namespace: ({ namespace }) => namespace },
    },
    textColumn("timeZone", "Time zone", ({ timeZone }) => timeZone),
    textColumn("concurrencyPolicy", "Concurrency", (cronJob) => cronJob.concurrencyPolicy),
    instantColumn("lastScheduled", "Last due", ({ lastScheduledAt }) => lastScheduledAt),
    instantColumn("lastSuccessful", "Last success", ({ lastSuccessfulAt }) => lastSuccessfulAt),
    instantColumn("created", "Age", ({ createdAt }) => createdAt),
  ],
};

function textColumn(
  id: string,
  header: string,
  of: (cronJob: CronJobAnswer) => string | undefined,
): ListColumn<CronJobAnswer> {
  return {
    id,
    header,
    class: "word quiet",
    rem: 8,
    shown: "chosen",
    cell: (cronJob) => <ClusterText text={of(cronJob) ?? "–"} />,
    order: { by: id, of, first: "ascending" },
    fields: { [id]: of },
  };
}

/** How long ago something was. */
function instantColumn(
  id: string,
  header: string,
  of: (cronJob: CronJobAnswer) => string | undefined,
): ListColumn<CronJobAnswer> {
  return {
    id,
    header,
    class: "word num",
    rem: 6,
    shown: "chosen",
    cell: (cronJob) => <Age at={of(cronJob)} />,
    order: { by: id, of: (cronJob) => millisOf(of(cronJob)), first: "descending", isReversed: true },
    fields: { [id]: of },
  };
}
