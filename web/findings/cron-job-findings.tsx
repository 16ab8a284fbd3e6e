import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import type { ListPage } from "../api/api-result.ts";
import { useLive } from "../api/live.ts";
import { request } from "../api/request.ts";
import { Panel } from "../shell/panel.tsx";
import { linkTo } from "../shell/route.ts";
import { WithLive } from "../shell/with-live.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";

/** Findings about CronJobs change with their due times. */
const INTERVAL = 60_000;

interface CronJobFindingsProps {
  readonly cluster: string | undefined;
  readonly namespace: string | undefined;
}

/** CronJobs that missed a run, fail, take long or overlap. One page: each takes the server a few reads. */
export function CronJobFindings({ cluster, namespace }: CronJobFindingsProps) {
  const load = (signal: AbortSignal) =>
    request<ListPage<CronJobAnswer>>("cronjobs", { attention: "true", cluster, namespace }, signal);
  const live = useLive(`${cluster} ${namespace}`, load, { everyMillis: INTERVAL }).value;
  return (
    <WithLive live={live} what="the findings about CronJobs">
      {(page) => <CronJobsPanel page={page} />}
    </WithLive>
  );
}

function CronJobsPanel({ page: { items, nextCursor } }: { readonly page: ListPage<CronJobAnswer> }) {
  const isMore = nextCursor !== undefined;
  if (items.length === 0 && !isMore) return null;
  const remark = isMore ? "There are more CronJobs: choose a cluster to see their findings." : undefined;
  const heading = (
    <>
      CronJobs <span class="quiet">{plural(items.length, "CronJob")}</span>
    </>
  );
  return (
    <Panel id="cron-jobs" title={heading} remark={remark} long>
      <ul class="findings">
        {items.map((cronJob) => (
          <CronJobItem key={`${cronJob.cluster} ${cronJob.uid}`} cronJob={cronJob} />
        ))}
      </ul>
    </Panel>
  );
}

function CronJobItem({ cronJob: { cluster, namespace, name, findings = [] } }: { readonly cronJob: CronJobAnswer }) {
  return (
    <li>
      <a href={linkTo("cronjobs", [cluster, namespace, name])}>
        <ClusterText text={name} />
      </a>{" "}
      <span class="quiet">
        <ClusterText text={namespace} /> in <ClusterText text={cluster} />
      </span>
      {findings.map(({ kind, message }) => (
        <p key={kind} class="breaks">
          {kind}: {shownText(message)}
        </p>
      ))}
    </li>
  );
}
