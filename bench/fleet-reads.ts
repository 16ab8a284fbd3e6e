// What do questions cost on DynamoDB that a large fleet makes expensive? Namespaces and clusters are as many as in the
// reference fleet; DynamoDB Local returns the consumption of each request (`ReturnConsumedCapacity`).
import { namespaceKey } from "../src/ports/meta-key.ts";
import { apiOver } from "../test/support/http/request-api.ts";
import { startDynamoLocal } from "../test/support/aws/dynamodb-local.ts";
import { Story } from "../test/support/story/story.ts";
import { tell } from "../test/support/stores/stores-with-facts.ts";
import { clusterOf } from "../test/support/story/listed-job.ts";
import { MAX_WAIT_SECONDS } from "../src/http/streams/long-poll.ts";
import { encodeFollow, givenSegment, passAfter } from "../src/query/changes/follow-position.ts";
import { floorAt, segmentMark } from "../src/query/changes/log-position.ts";
import { createTables } from "./dynamodb/tables.ts";
import { type Measure, report } from "./measuring/measure.ts";

const NAMESPACES = 600;
const PARALLEL = 16;
const cluster = clusterOf("east");
const JOB = "/v1/clusters/east/namespaces/default/jobs/render";
/** The polls of a wait of 25 s: one at once, and one after each second. */
const POLLS = 26;

/** Followers of all clusters, and those clusters. */
const FOLLOWERS = 20;
const CLUSTERS = 200;
const HOUR_SECONDS = 3_600;
const FLEET_JOBS_PER_SECOND = 58;
/** One-Pod Jobs whose changes are followed to measure one Job. */
const SAMPLE = 100;

const dynamo = await startDynamoLocal();
try {
  const tables = await createTables(dynamo);
  const { meter, names, projections, meta, log } = tables;
  const { ask, errors } = apiOver({ projections, meta, log });
  await inParallel(NAMESPACES, async (n) => {
    await meta.write("namespace", namespaceKey(cluster, `batch-${n}`), { value: "{}", expected: 0 });
  });
  const running = new Story("render");
  running.jobCreated();
  running.podCreated("a");
  running.podStarted("a");
  await tell({ projections, meta, log }, running.facts);
  const notFound = await costOf(JOB.replace("render", "rendre"));
  const wait = await costOf(`${JOB}/wait`);
  const vainWait = await costOf(`${JOB.replace("render", "rendre")}/wait`);
  await inParallel(CLUSTERS, async (n) => {
    await meta.write("cluster", clusterOf(`cluster-${n}`), { value: "{}", expected: 0 });
  });
  const quiet = await costOf("/v1/changes?waitSeconds=25");
  const begin = "since=2026-01-01T11:59:00Z&limit=500";
  const before = await followed(begin);
  for (let n = 0; n < SAMPLE; n += 1) {
    await tell({ projections, meta, log }, oneJob(n), { cluster: `cluster-${n}`, factsInSegment: 2 });
  }
  const after = await followed(begin);
  const perJob = (after.units - before.units) / SAMPLE;
  // AWS bills at least one unit for a strongly consistent request; DynamoDB Local none for an empty one.
  const idle = (quiet.requests / MAX_WAIT_SECONDS) * HOUR_SECONDS * FOLLOWERS;
  report([
    { name: `changes: requests in 25 s, ${CLUSTERS} quiet clusters`, value: quiet.requests, unit: "requests" },
    { name: "changes: read units for one Job of one Pod", value: perJob, unit: "units" },
    { name: `changes: read units per hour of ${FOLLOWERS} followers, quiet fleet`, value: idle, unit: "units" },
    {
      name: `changes: read units per hour of ${FOLLOWERS} followers, reference fleet (modelled)`,
      value: idle + perJob * FLEET_JOBS_PER_SECOND * HOUR_SECONDS * FOLLOWERS,
      unit: "units",
    },
    {
      name: "fleet: bytes of the changes cursor at 2,000 clusters",
      value: Math.max(after.bytes, longestCursor()),
      unit: "bytes",
      goal: "<= 1024",
    },
    measureOf("fleet: requests of a 404 by name", notFound),
    { name: "fleet: read units of a 404 by name", value: notFound.units, unit: "units" },
    { name: "wait: requests a second for a running Job", value: wait.requests / POLLS, unit: "requests" },
    { name: "wait: requests a second for an unknown Job", value: vainWait.requests / POLLS, unit: "requests" },
  ]);

  /** All changes of the clusters, page by page, and the longest cursor. */
  async function followed(query: string): Promise<{ readonly units: number; readonly bytes: number }> {
    let [units, bytes] = [0, 0];
    let page = { nextCursor: "", more: true };
    for (let next = query; page.more; next = `limit=500&cursor=${page.nextCursor}`) {
      meter.reset();
      page = (await ask(`/v1/changes?${next}`)).body as typeof page;
      units += [names.jobs, names.meta, names.log].reduce((sum, table) => sum + meter.of(table).read, 0);
      bytes = Math.max(bytes, page.nextCursor.length);
    }
    return { units, bytes };
  }

  async function costOf(path: string): Promise<{ readonly requests: number; readonly units: number }> {
    meter.reset();
    await ask(path);
    if (errors.length > 0) throw new AggregateError(errors, `${path} was not answered`);
    const used = [names.jobs, names.meta, names.log].map((table) => meter.of(table));
    return {
      requests: used.reduce((sum, { reads }) => sum + reads, 0),
      units: used.reduce((sum, { read }) => sum + read, 0),
    };
  }
} finally {
  await dynamo.stop();
}

/** The cursor of a reader in the middle of a pass who was given a segment of each of 2,000 clusters meanwhile. */
function longestCursor(): number {
  const longestName = clusterOf("c".repeat(63));
  const pass = { ...passAfter(longestName, 0), floor: `${floorAt(0)}#0123456789abcdef#0000000000` };
  const given = Array.from({ length: 2_000 }, (_, n) => givenSegment(clusterOf(`c${n}`), segmentMark(String(n))));
  return encodeFollow(
    { from: Date.now(), pass: { ...pass, until: Date.now(), lateUntil: Date.now() }, given },
    "everything",
  ).length;
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

function measureOf(name: string, { requests }: { readonly requests: number }): Measure {
  return { name, value: requests, unit: `requests, ${NAMESPACES} namespaces`, goal: "<= 6" };
}

async function inParallel(count: number, work: (n: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < count; start += PARALLEL) {
    const numbers = Array.from({ length: Math.min(PARALLEL, count - start) }, (_, offset) => start + offset);
    await Promise.all(numbers.map(work));
  }
}
