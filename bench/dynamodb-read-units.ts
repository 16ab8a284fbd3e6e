// How many read units does each query cost on DynamoDB? 10,000 Jobs of thirty days in four namespaces and a Job of
// 1,000 Pods, queried through the API's routes and by the tools for agents. DynamoDB Local returns the consumption of
// each request (`ReturnConsumedCapacity`).
import { type JobUid, decodeJobUid } from "../src/job/model/ids.ts";
import { EARLIEST } from "../src/job/model/instant.ts";
import type { ClusterFact } from "../src/job/model/fact.ts";
import { namespaceKey } from "../src/ports/meta-key.ts";
import { encodeJobState } from "../src/projection/job-state/job-state.ts";
import { noSegments } from "../src/projection/job-state/segment-set.ts";
import { packSummary } from "../src/projection/job-state/summary-bytes.ts";
import { apiOver } from "../test/support/http/request-api.ts";
import { callIn, contextOver } from "../test/support/mcp/recorded-tools.ts";
import { startDynamoLocal } from "../test/support/aws/dynamodb-local.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../test/support/facts/large-job-facts.ts";
import { clusterOf, listedJob } from "../test/support/story/listed-job.ts";
import { Story } from "../test/support/story/story.ts";
import { tell } from "../test/support/stores/stores-with-facts.ts";
import { createTables } from "./dynamodb/tables.ts";
import { type Measure, report } from "./measuring/measure.ts";

const JOBS = 10_000;
const NAMESPACES = 4;
const PODS = 1_000;
const PARALLEL = 16;
const HOUR = 3_600_000;
/** The time of the query (test/support/http/request-api.ts), and thirty days before. */
const NOW = Date.parse("2026-01-02T00:00:00Z");
const EPOCH = NOW - 30 * 24 * HOUR;
const cluster = clusterOf("east");
const LARGE = "/v1/clusters/east/namespaces/default/jobs/large";
const SMALL = "/v1/clusters/east/namespaces/default/jobs/render";

/** The queries by their names in the table. `JOB` is a path of one Job. */
const QUESTIONS: readonly (readonly [name: string, path: string])[] = [
  ["list: page of 100", "/v1/jobs?limit=100"],
  ["list: page of 500", "/v1/jobs?limit=500"],
  ["list: page of 100 of one namespace", "/v1/jobs?cluster=east&namespace=batch-1&limit=100"],
  ["list: by name", "/v1/jobs?cluster=east&namespace=batch-1&name=report-1"],
  ["list: by name, in any namespace", "/v1/jobs?name=report-1"],
  ["list: failed ones, one in twenty", "/v1/jobs?state=Failed&limit=100"],
  ["list: by a label that matches no Job (1,000 rows read)", "/v1/jobs?labelSelector=team%3Dnobody"],
  ["list: by owner", "/v1/jobs?owner=CronJob%2Fnightly&limit=100"],
  ["list: of one hour", `/v1/jobs?createdAfter=${at(NOW - 200 * HOUR)}&createdBefore=${at(NOW - 199 * HOUR)}`],
  ["list: what needs attention", "/v1/jobs?attention=true&limit=100"],
  ["get: a Job of one Pod", SMALL],
  ["get: a Job of 1,000 Pods", LARGE],
  ["get: asOf, a Job of one Pod", `${SMALL}?asOf=${at(NOW - HOUR)}`],
  ["get: a name that is not there (nearest are offered)", SMALL.replace("render", "rendre")],
  ["batch-get: 20 by name", `/v1/clusters/east/jobs/batch?${twenty((n) => `job=${placeOf(n)}/report-${n}`)}`],
  ["batch-get: 20 by uid", `/v1/clusters/east/jobs/batch?${twenty((n) => `uid=${uidOf(n)}`)}`],
  ["pods: a Job of one Pod", `${SMALL}/pods`],
  ["pods: 100 of 1,000", `${LARGE}/pods?limit=100`],
  ["pods: 1,000 of 1,000", `${LARGE}/pods?limit=1000`],
  ["indexes: 100 of 1,000", `${LARGE}/indexes?limit=100`],
  ["why: a Job of one Pod", `${SMALL}/why`],
  ["why: a Job of 1,000 Pods", `${LARGE}/why`],
  ["history: a Job of one Pod", `${SMALL}/history`],
  ["history: 1,000 facts of a Job of 1,000 Pods", `${LARGE}/history?limit=1000`],
  ["wait: for a Job that is over", `${SMALL}/wait`],
  ["changes: since a minute ago", `/v1/changes?since=${at(NOW - 60_000)}`],
  ["changes: since twelve hours ago", `/v1/changes?since=${at(NOW - 12 * HOUR - 60_000)}`],
  ["clusters", "/v1/clusters"],
  ["cronjobs", "/v1/cronjobs"],
  ["cronjobs: runs of thirty days", "/v1/clusters/east/namespaces/batch-0/cronjobs/nightly/runs"],
  ["gaps", "/v1/gaps"],
  ...["", "&by=cluster", "&by=namespace", "&by=owner", "&by=hour", "&by=day"].map(
    (by) => [`summary: 10,000 Jobs${by.replace("&", ", ")}`, `/v1/summary?createdAfter=${at(EPOCH - 1)}${by}`] as const,
  ),
  ["summary: one day", `/v1/summary?createdAfter=${at(NOW - 24 * HOUR)}`],
  ["kubectl get jobs -A: page of 500", "/apis/batch/v1/jobs?limit=500"],
  ["kubectl get pods -A: page of 500", "/api/v1/pods?limit=500"],
  ["kubectl get job", "/apis/batch/v1/namespaces/default/jobs/render"],
];

/** Calls of the tools for agents. */
const CALLS: readonly (readonly [name: string, tool: string, given: Readonly<Record<string, unknown>>])[] = [
  ["a Job by its whole target", "why", { target: "east/default/job/render" }],
  ["a Job by its name alone", "why", { target: "render" }],
  ["a Job of 1,000 Pods by its name alone", "why", { target: "large" }],
  ["a name that is not there", "why", { target: "rendre" }],
  ["why not running", "why_not_running", { target: "east/default/job/render" }],
  ["timeline of a Job of 1,000 Pods", "timeline", { target: "east/default/job/large" }],
  ["get_run of a Job of 1,000 Pods", "get_run", { target: "east/default/job/large" }],
  ["find_runs, the newest", "find_runs", {}],
  ["find_runs, by name", "find_runs", { name: "render" }],
  ["find_runs, by a pattern that one in ten matches", "find_runs", { name: "report-1*" }],
  ["find_runs, failed Jobs of a namespace without any", "find_runs", { namespace: "batch-1", state: ["Failed"] }],
  ["find_runs, by a label that matches no Job", "find_runs", { labelSelector: "team=nobody" }],
  ["find_runs, what needs attention", "find_runs", { attention: true }],
  ["node_report", "node_report", { cluster: "east" }],
  ["completeness", "completeness", {}],
];

const dynamo = await startDynamoLocal();
try {
  const tables = await createTables(dynamo);
  const { meter, projections, meta, log } = tables;
  await fill();
  await tellSome();
  const { app, ask, errors } = apiOver({ projections, meta, log });
  const measures: Measure[] = [];
  for (const [name, path] of QUESTIONS) {
    await measure(name, async () => {
      const { status, text } = await ask(path);
      return `${status}, ${kilobytes(Buffer.byteLength(text))}`;
    });
  }
  const api = { request: async (path: string) => app.request(path), name: "the benchmark", close: async () => {} };
  const context = { ...contextOver(api), now: () => NOW };
  for (const [name, tool, given] of CALLS) {
    await measure(`tools: ${name}`, async () => {
      const { isError, bytes } = await callIn(context, tool, given);
      return `${isError ? "error" : "answered"}, ${kilobytes(bytes)}`;
    });
  }
  report(measures);

  async function measure(name: string, take: () => Promise<string>): Promise<void> {
    meter.reset();
    const taken = await take();
    if (errors.length > 0) throw new AggregateError(errors, `${name} was not answered`);
    const { read, reads } = meter.total();
    measures.push({ name, value: read, unit: `units, ${reads} requests, ${taken}` });
  }

  /** Jobs that are in the table as the projection would write them. */
  async function fill(): Promise<void> {
    await meta.write("cluster", cluster, { value: "{}", expected: 0 });
    for (let n = 0; n < NAMESPACES; n += 1) {
      await meta.write("namespace", namespaceKey(cluster, placeOf(n)), { value: "{}", expected: 0 });
    }
    const jobs = projections.open("A");
    // As after the first sweep of a stage: lists of all namespaces read no namespace.
    await jobs.wide?.writeCoverage({ since: EARLIEST, sweptTo: NOW, isConverted: true }, 0);
    for (let start = 0; start < JOBS; start += PARALLEL) {
      const numbers = Array.from({ length: PARALLEL }, (_, offset) => start + offset);
      await Promise.all(
        numbers.map((n) => jobs.write({ cluster, jobUid: uidOf(n) }, { bytes: stateOf(n), row: rowOf(n) }, 0)),
      );
    }
  }

  /** Jobs that were ingested, so that they are also in the log. */
  async function tellSome(): Promise<void> {
    const stores = { projections, meta, log };
    const small = new Story("render", at(NOW - 12 * HOUR));
    small.jobCreated();
    small.jobTracked();
    small.podSucceeds("a", 5, { tracked: true });
    small.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    await tell(stores, [...small.facts, ...around(small.facts[0])]);
    const lives = Array.from({ length: PODS }, (_, n) => [...podBeginFacts(n, n), ...podEndFacts(n)]);
    await tell(stores, [...largeJobFacts({ indexed: true, completions: PODS }), ...lives.flat()], {
      factsInSegment: 400,
    });
  }
} finally {
  await dynamo.stop();
}

/** A CronJob and a gap. */
function around(stamp: Story["facts"][number] | undefined): readonly ClusterFact[] {
  if (stamp === undefined) return [];
  const { epoch, resourceVersion } = stamp;
  const seen = { epoch, resourceVersion, at: stamp.at };
  const cronJob = { namespace: "batch-0", name: "nightly", cronJobUid: "c1", createdAt: EPOCH, generation: 1 };
  const rules = { schedule: "0 1 * * *", suspend: false, concurrencyPolicy: "Allow" };
  const gap = { gapId: "g1", from: EPOCH, to: EPOCH + HOUR, resources: ["pods"], reason: "watch-lost" };
  return [
    { ...seen, kind: "CronJobObserved", ...cronJob, ...rules },
    { ...seen, kind: "GapRecorded", ...gap },
  ];
}

function rowOf(n: number) {
  const createdAt = EPOCH + Math.floor((n * (NOW - EPOCH)) / JOBS);
  const startedAt = createdAt + 1_000;
  const answer = listedJob({
    uid: uidOf(n),
    name: `report-${n}`,
    namespace: placeOf(n),
    createdAt: at(createdAt),
    startedAt: at(startedAt),
    finishedAt: at(startedAt + (1 + ((n * 7919) % 3_600)) * 1_000),
    verdict: { state: n % 20 === 0 ? "Failed" : "Complete", final: true, basis: "both" },
    ...(n % 3 === 0 && { owner: { kind: "CronJob", name: "nightly", uid: "c1" } }),
  });
  const { namespace, name } = answer;
  const phase = n % 1_000 === 0 ? "A" : "F";
  return { namespace, name, createdAt, phase, attention: n % 100 === 0, summary: packSummary(answer) } as const;
}

function stateOf(n: number): Uint8Array {
  const story = new Story(uidOf(n));
  const namespace = placeOf(n);
  story.jobCreated({}, { namespace, name: `report-${n}` });
  story.jobTracked();
  story.podSucceeds("a", 5, { tracked: true, namespace });
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return encodeJobState({ layout: "inline", record: story.record, segments: noSegments, seenAt: story.now });
}

function placeOf(n: number): string {
  return `batch-${n % NAMESPACES}`;
}

function uidOf(n: number): JobUid {
  const jobUid = decodeJobUid(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`);
  if (jobUid === undefined) throw new Error("a uid is 36 characters");
  return jobUid;
}

function twenty(parameter: (n: number) => string): string {
  return Array.from({ length: 20 }, (_, n) => parameter(n * 400)).join("&");
}

function at(instant: number): string {
  return new Date(instant).toISOString();
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
