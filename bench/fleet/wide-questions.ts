import type { Fact } from "../../src/job/model/fact.ts";
import { EARLIEST } from "../../src/job/model/instant.ts";
import { namespaceKey } from "../../src/ports/meta-key.ts";
import { encodeFeed, MAX_GIVEN } from "../../src/query/changes/changes-cursor.ts";
import { packSortKey } from "../../src/segment/pack-key.ts";
import type { DynamoLocal } from "../../test/support/aws/dynamodb-local.ts";
import { parentObserved } from "../../test/support/facts/parent-facts.ts";
import { tell } from "../../test/support/stores/stores-with-facts.ts";
import { clusterOf } from "../../test/support/story/listed-job.ts";
import { dagsterJob } from "../../test/support/story/run-story.ts";
import { Story } from "../../test/support/story/story.ts";
import { createTables } from "../dynamodb/tables.ts";
import type { Measure } from "../measuring/measure.ts";
import { MeteredApi, TOLD_AT } from "./metered-api.ts";

const NAMESPACES = 600;
/** The number of Jobs beside the one that is queried. */
const SIMILAR = 20;
const PARALLEL = 16;
const JOB = "/v1/clusters/east/namespaces/default/jobs/render";
const NO_JOB = "/v1/clusters/east/namespaces/default/jobs/rendre";
/** The polls of a wait of 25 s: one at once, and one after each second. */
const POLLS = 26;
/** Followers of all clusters. */
const FOLLOWERS = 20;
const CLUSTERS = 200;
const HOUR_SECONDS = 3_600;
const FLEET_JOBS_PER_SECOND = 58;
const HEARTBEAT = {
  kind: "ClusterObserved",
  epoch: TOLD_AT,
  resourceVersion: 123_456_789,
  at: TOLD_AT,
  kubeSystemUid: "5f0c3f4e-0d38-4c5c-9c1e-3c1f6f9b2d11",
  serverVersion: "v1.33.4-eks-99bf9e4",
};
/** One in each half minute: of a page (web/api/changes.ts), and of a follower (cli/query/follow-changes.ts). */
const PAGE_POLLS_PER_HOUR = 120;
/** A follower polls five seconds after a change. */
const BUSY_POLLS_PER_HOUR = 720;
/** A poll half a minute after the last one. */
const QUIET_POLL = "/v1/changes?limit=100&since=45s";
/** `requestsPerSecond` of a stage, by default. */
const DEFAULT_REQUESTS_PER_SECOND = 50;
/** One-Pod Jobs whose changes are followed to measure one Job. */
const SAMPLE = 100;

/**
 * The cost of questions that grow with the number of namespaces or clusters. DynamoDB Local returns the consumption of
 * each request (`ReturnConsumedCapacity`).
 */
export async function measureWideQuestions(dynamo: DynamoLocal): Promise<readonly Measure[]> {
  const api = new MeteredApi(await createTables(dynamo));
  return [
    ...(await measureNames(api)),
    ...(await measureChanges(api)),
    ...(await measureLists(api)),
    ...(await measureRuns(api)),
  ];
}

/** Runs in all clusters, more than a page. */
async function measureRuns(api: MeteredApi): Promise<readonly Measure[]> {
  await inParallel(CLUSTERS, (n) => tell(api.stores, jobSet(n), { cluster: `cluster-${n}` }));
  await tell(api.stores, dagsterJob("5f1a"));
  const newest = await api.first("/v1/runs?limit=100");
  const failed = await api.first("/v1/runs?limit=100&state=Failed");
  const external = await api.costOf("/v1/runs?externalId=dagster/run-id=5f1a");
  const unit = `requests, ${NAMESPACES} namespaces, none of which is read`;
  const name = "fleet: requests for the newest 100 runs of 6,000 namespaces";
  return [
    { name, value: newest.requests, unit, goal: "<= 24" },
    { name: `${name}: read units`, value: newest.units, unit: "RU" },
    { name: `${name} that failed (there are none)`, value: failed.requests, unit, goal: "<= 24" },
    {
      name: "fleet: requests for the runs with an external id",
      value: external.requests,
      unit: "requests",
      goal: "<= 4",
    },
  ];
}

/** A JobSet whose Jobs are not there yet. */
function jobSet(n: number): readonly Fact[] {
  const uid = `set-${n}-uid`;
  const [at, createdAt] = [TOLD_AT, TOLD_AT - n * 1_000];
  return [parentObserved({ name: `set-${n}`, uid, runUid: uid, at, createdAt })];
}

/** The Jobs of the measures before are in 200 clusters. No namespace is read, so their number does not matter. */
async function measureLists(api: MeteredApi): Promise<readonly Measure[]> {
  const { wide } = api.stores.projections.open("A");
  await wide?.writeCoverage({ since: EARLIEST, sweptTo: Date.now(), isConverted: true }, 0);
  const newest = await api.first("/v1/jobs?limit=100");
  const failed = await api.first("/v1/jobs?limit=100&state=Failed");
  const attention = await api.first("/v1/jobs?limit=100&attention=true");
  const name = "fleet: requests for the newest 100 Jobs of 6,000 namespaces";
  const unit = `requests, ${NAMESPACES} namespaces, none of which is read`;
  return [
    { name, value: newest.requests, unit, goal: "<= 24" },
    { name: `${name}: read units`, value: newest.units, unit: "RU", goal: "<= 60" },
    { name: `${name} that failed (there are none)`, value: failed.requests, unit },
    { name: `${name} that need attention (there are none)`, value: attention.requests, unit },
  ];
}

async function measureNames(api: MeteredApi): Promise<readonly Measure[]> {
  await inParallel(NAMESPACES, (n) => api.register("namespace", namespaceKey(clusterOf("east"), `batch-${n}`)));
  const running = new Story("render");
  running.jobCreated();
  running.podCreated("a");
  running.podStarted("a");
  await tell(api.stores, running.facts);
  // Enough Jobs that the sample of names is not empty.
  for (let n = 0; n < SIMILAR; n += 1) await tell(api.stores, oneJob(n));
  const notFound = await api.costOf(NO_JOB);
  const wait = await api.costOf(`${JOB}/wait`);
  const vainWait = await api.costOf(`${NO_JOB}/wait`);
  const unit = `requests, ${NAMESPACES} namespaces`;
  return [
    { name: "fleet: requests of a 404 by name", value: notFound.requests, unit, goal: "<= 6" },
    { name: "fleet: requests per second of a wait for a running Job", value: wait.requests / POLLS, unit },
    { name: "fleet: requests per second of a wait for an unknown Job", value: vainWait.requests / POLLS, unit },
  ];
}

async function measureChanges(api: MeteredApi): Promise<readonly Measure[]> {
  await inParallel(CLUSTERS, (n) => api.register("cluster", clusterOf(`cluster-${n}`)));
  await api.stores.changes.append([]);
  const before = await api.unitsOfChanges();
  for (let n = 0; n < SAMPLE; n += 1) {
    await tell(api.stores, oneJob(n), { cluster: `cluster-${n}`, factsInSegment: 2 });
  }
  const landing = await measureLandingPage(api);
  const perJob = ((await api.unitsOfChanges()) - before) / SAMPLE;
  const { billed: quietPoll } = await api.first(QUIET_POLL);
  const idle = quietPoll * PAGE_POLLS_PER_HOUR * FOLLOWERS;
  const busy = FOLLOWERS * (quietPoll * BUSY_POLLS_PER_HOUR + perJob * FLEET_JOBS_PER_SECOND * HOUR_SECONDS);
  const followers = `fleet: read units per hour of ${FOLLOWERS} followers`;
  const cursor = "fleet: bytes of the changes cursor at 2,000 clusters";
  return [
    { name: cursor, value: longestCursor(), unit: "bytes", goal: "<= 1024" },
    { name: "fleet: read units of a follower for one Job", value: perJob, unit: "RU" },
    { name: `${followers} of ${CLUSTERS} quiet clusters, modelled`, value: idle, unit: "RU" },
    { name: `${followers} of the fleet, modelled`, value: busy, unit: "RU" },
    ...landing,
  ];
}

/** The polls of an open landing page without streams (web/api/change-poll.ts), if nothing changes. */
async function measureLandingPage(api: MeteredApi): Promise<readonly Measure[]> {
  const heartbeat = JSON.stringify({ observed: HEARTBEAT });
  for (let n = 0; n < CLUSTERS; n += 1) await api.write("cluster", clusterOf(`cluster-${n}`), heartbeat);
  const { billed: short } = await api.first(QUIET_POLL);
  const { billed: long } = await api.first(`${QUIET_POLL}&heartbeats=true`);
  const units = PAGE_POLLS_PER_HOUR * (0.75 * short + 0.25 * long);
  const page = "fleet: requests of an idle landing page, per hour";
  return [
    { name: page, value: PAGE_POLLS_PER_HOUR, unit: `requests, ${CLUSTERS} clusters`, goal: "<= 120" },
    { name: `${page}: read units`, value: units, unit: "RU", goal: "<= 500" },
    { name: `${page}: read units of a poll`, value: short, unit: "RU" },
    { name: `${page}: read units of a poll with heartbeats`, value: long, unit: "RU" },
    {
      name: "fleet: landing pages that one stage carries",
      value: (DEFAULT_REQUESTS_PER_SECOND * HOUR_SECONDS) / PAGE_POLLS_PER_HOUR,
      unit: "pages",
      goal: ">= 1500",
    },
  ];
}

/** The cursor of a reader who was given as many changes early as a cursor lists. It names no cluster. */
function longestCursor(): number {
  const given = Array.from({ length: MAX_GIVEN }, (_, n) => String(n).padStart(6, "0"));
  return encodeFeed({ floor: packSortKey(TOLD_AT, "0123456789abcdef"), given }).length;
}

/** A Job of one Pod from its creation to its deletion. */
function oneJob(n: number): Story["facts"] {
  const story = new Story(`job-${n}`);
  story.jobCreated();
  story.jobTracked();
  story.podSucceeds("a", 5, { tracked: true });
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  story.jobDeleted();
  return story.facts;
}

async function inParallel(count: number, work: (n: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < count; start += PARALLEL) {
    const numbers = Array.from({ length: Math.min(PARALLEL, count - start) }, (_, offset) => start + offset);
    await Promise.all(numbers.map(work));
  }
}
