import type { Instant } from "../../../src/job/model/instant.ts";
import { cronJobLife, type DueTime, type PlannedRun, type PlannedSeries } from "./cron-job-life.ts";
import { drawn, drawnBetween } from "./drawn.ts";
import { nodeFor, US, US_NODES } from "./generated-cluster.ts";
import type { JobTemplate } from "./job-objects.ts";
import { nodeEvents } from "./nodes.ts";
import { DAY, HOUR, type RecordedEvent } from "./watch-events.ts";

/** An old cluster without finalizer tracking, on Kubernetes 1.24. */
export function usEvents(from: Instant, until: Instant): readonly RecordedEvent[] {
  const series = [etlEvents(until), compactTables(), sendInvoices()];
  return [...nodeEvents(US_NODES, { from, now: until }), ...series.flatMap((one) => cronJobLife(one, { from, until }))];
}

function usTemplate(namespace: string, team: string, app: string): JobTemplate {
  return {
    cluster: US,
    namespace,
    labels: { app, team },
    image: `registry.example.com/${namespace}/${app}:1.9.3`,
    cpu: "1",
    memory: "1Gi",
    backoffLimit: 3,
    isUntracked: true,
  };
}

/** For some hours, Pod garbage collection deleted its succeeded Pods, so its runs were repeated. */
function etlEvents(until: Instant): PlannedSeries {
  const name = "etl-events";
  const sweeps = { from: until - 3 * DAY, to: until - 3 * DAY + 5 * HOUR };
  const run = ({ at }: DueTime): PlannedRun => {
    const node = nodeFor(`${name} ${at}`, US_NODES);
    const seconds = Math.round(drawnBetween(40, 120, `${name} ${at}`));
    const isSwept = at >= sweeps.from && at <= sweeps.to;
    const times = isSwept ? 1 + Math.floor(drawn(`${name} lost ${at}`) * 3) : 0;
    return {
      attempts: [
        ...Array.from({ length: times }, (_, again) => ({ node, seconds: seconds + 3 * again, isLost: true })),
        { node, seconds },
      ],
    };
  };
  return { name, template: usTemplate("analytics", "data", name), schedule: "30 * * * *", run };
}

function compactTables(): PlannedSeries {
  const name = "compact-tables";
  const run = ({ at }: DueTime): PlannedRun => {
    const node = nodeFor(`${name} ${at}`, US_NODES);
    const good = { node, seconds: Math.round(drawnBetween(180, 600, `${name} ${at}`)) };
    const bad = { node, seconds: 20, end: { phase: "Failed", exitCode: 2, reason: "Error" } } as const;
    return { attempts: drawn(`${name} fails ${at}`) < 0.02 ? [bad, good] : [good] };
  };
  return { name, template: usTemplate("analytics", "data", name), schedule: "10 */2 * * *", run };
}

function sendInvoices(): PlannedSeries {
  const name = "send-invoices";
  const run = ({ at }: DueTime): PlannedRun => {
    const seconds = Math.round(drawnBetween(500, 700, `${name} ${at}`));
    return { attempts: [{ node: nodeFor(`${name} ${at}`, US_NODES), seconds }] };
  };
  const template = usTemplate("billing", "finance", name);
  return { name, template, schedule: "0 7 * * *", timeZone: "America/New_York", run };
}
