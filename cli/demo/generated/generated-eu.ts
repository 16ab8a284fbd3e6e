import type { Instant } from "../../../src/job/model/instant.ts";
import { cronJobLife, type DueTime, type PlannedRun, type PlannedSeries } from "./cron-job-life.ts";
import { drawn, drawnBetween } from "./drawn.ts";
import type { PlannedAttempt } from "./job-life.ts";
import { EU_NODES, euTemplate, nodeFor, OUT_OF_MEMORY } from "./generated-cluster.ts";
import type { PodEnd } from "./job-objects.ts";
import { nodeEvents } from "./nodes.ts";
import { oneOffJobs } from "./one-off-jobs.ts";
import { trainingRuns } from "./training-runs.ts";
import { DAY, HOUR, MINUTE, type RecordedEvent } from "./watch-events.ts";

const BAD_NODE = "eu-node-3";

/** A shop's batch platform on Kubernetes 1.36: CronJobs, training runs in a queue, and Jobs that people made. */
export function euEvents(from: Instant, now: Instant): readonly RecordedEvent[] {
  const night = Math.floor((now - 9 * DAY) / DAY) * DAY;
  const outage = { from: night + 110 * MINUTE, to: night + 245 * MINUTE };
  const pressure = { from: now - 60 * HOUR, to: now - 12 * HOUR };
  const series = [nightlyReport(), importOrders(now), syncInventory(pressure), scoreFraud(), crawlPrices()];
  return [
    ...nodeEvents(EU_NODES, { from, now, pressure: { ...pressure, node: BAD_NODE } }),
    ...series.flatMap((one) => cronJobLife(one, { from, until: now, outage })),
    ...trainingRuns(now),
    ...oneOffJobs(now),
  ];
}

const EXITS_3: PodEnd = { phase: "Failed", exitCode: 3, reason: "Error" };

/** Takes a little longer each night, and much longer in the last week. It was missed in an outage, and last night. */
function nightlyReport(): PlannedSeries {
  const name = "nightly-report";
  const template = { ...euTemplate("finance", "finance", name), cpu: "2", memory: "4Gi" };
  const run = ({ at, number, later }: DueTime): PlannedRun => {
    const lastWeek = Math.max(0, 7 - later);
    const seconds = 1_080 * (1 + 0.003 * number + 0.06 * lastWeek) + drawnBetween(-20, 20, `${name} ${at}`);
    const refused = later === 0 ? { refused: QUOTA_EXCEEDED } : {};
    return { attempts: [{ node: nodeFor(`${name} ${at}`, EU_NODES), seconds: Math.round(seconds) }], ...refused };
  };
  return { name, template, schedule: "30 2 * * *", startingDeadlineSeconds: 3_600, run };
}

const QUOTA_EXCEEDED =
  'Error creating job: jobs.batch "nightly-report" is forbidden: exceeded quota: batch, requested: ' +
  "count/jobs.batch=1, used: count/jobs.batch=40, limited: count/jobs.batch=40";

/** Some runs fail since a new image. The last ones all do: they have the next image, and request less of the CPU. */
function importOrders(now: Instant): PlannedSeries {
  const name = "import-orders";
  const template = { ...euTemplate("shop", "orders", name), backoffLimit: 1, cpu: "1", memory: "1Gi" };
  const run = ({ at, later }: DueTime): PlannedRun => {
    const node = nodeFor(`${name} ${at}`, EU_NODES);
    const good = { node, seconds: Math.round(drawnBetween(240, 420, `${name} ${at}`)) };
    if (at < now - 2 * DAY) return { attempts: [good] };
    const image = `registry.example.com/shop/import-orders:${later < 4 ? "4.3.1" : "4.3.0"}`;
    const failing = [40, 35].map((seconds) => ({ node, seconds, end: EXITS_3 }));
    if (later < 4) return { attempts: failing, changed: { image, cpu: "250m" } };
    const isUnlucky = later > 5 && drawn(`${name} fails ${at}`) < 0.3;
    return { attempts: isUnlucky ? failing : [good], changed: { image } };
  };
  return { name, template, schedule: "0 * * * *", run };
}

/** The frequent one. On a node without memory, its Pods are evicted and run again on another. */
function syncInventory(pressure: { readonly from: Instant; readonly to: Instant }): PlannedSeries {
  const name = "sync-inventory";
  const template = { ...euTemplate("shop", "inventory", name), cpu: "250m" };
  const run = ({ at }: DueTime): PlannedRun => {
    const node = nodeFor(`${name} ${at}`, EU_NODES);
    const seconds = Math.round(drawnBetween(25, 75, `${name} ${at}`));
    const isPressed = node === BAD_NODE && at >= pressure.from && at <= pressure.to;
    const evicted = { node, seconds: 12, end: EVICTED };
    const again = { node: "eu-node-1", seconds };
    if (isPressed && drawn(`${name} evicted ${at}`) < 0.6) return { attempts: [evicted, again] };
    const isUnlucky = drawn(`${name} fails ${at}`) < 0.006;
    const failing = { node, seconds: 8, end: { ...EXITS_3, exitCode: 1 } };
    return { attempts: isUnlucky ? [failing, again] : [{ node, seconds }] };
  };
  return { name, template, schedule: "*/15 * * * *", run };
}

const EVICTED: PodEnd = {
  phase: "Failed",
  exitCode: 137,
  reason: "Error",
  eviction:
    "The node was low on resource: memory. Threshold quantity: 100Mi, available: 61Mi. " +
    "Container work was using 488Mi, request is 512Mi, has larger consumption of memory. ",
};

/** Its last run exceeded its memory limit three times, and one a week ago once. */
function scoreFraud(): PlannedSeries {
  const name = "score-fraud";
  const run = ({ at, later }: DueTime): PlannedRun => {
    const killed = (number: number): PlannedAttempt => ({
      node: nodeFor(`${name} ${at} ${number}`, EU_NODES),
      seconds: Math.round(drawnBetween(300, 360, `${name} ${at} ${number}`)),
      end: OUT_OF_MEMORY,
    });
    if (later === 0) return { attempts: [killed(0), killed(1), killed(2)] };
    const good = {
      node: nodeFor(`${name} ${at}`, EU_NODES),
      seconds: Math.round(drawnBetween(420, 500, `${name} ${at}`)),
    };
    return { attempts: later === 6 ? [killed(0), good] : [good] };
  };
  return { name, template: euTemplate("risk", "risk", name), schedule: "0 5 * * *", run };
}

/** One run hangs, and the next one ran beside it. */
function crawlPrices(): PlannedSeries {
  const name = "crawl-prices";
  const template = { ...euTemplate("search", "search", name), cpu: "1", memory: "2Gi" };
  const run = ({ at, later }: DueTime): PlannedRun => {
    const seconds = later === 1 ? Infinity : Math.round(drawnBetween(1_300, 1_700, `${name} ${at}`));
    return { attempts: [{ node: nodeFor(`${name} ${at}`, EU_NODES), seconds }] };
  };
  return { name, template, schedule: "20 */2 * * *", concurrencyPolicy: "Allow", run };
}
