// What do questions cost on DynamoDB that a large fleet makes expensive? Namespaces and clusters are as many as in the
// reference fleet; DynamoDB Local returns the consumption of each request (`ReturnConsumedCapacity`).
import { namespaceKey } from "../src/ports/meta-key.ts";
import { apiOver } from "../test/support/http/request-api.ts";
import { startDynamoLocal } from "../test/support/aws/dynamodb-local.ts";
import { Story } from "../test/support/story/story.ts";
import { tell } from "../test/support/stores/stores-with-facts.ts";
import { clusterOf } from "../test/support/story/listed-job.ts";
import { createTables } from "./dynamodb/tables.ts";
import { type Measure, report } from "./measuring/measure.ts";

const NAMESPACES = 600;
const PARALLEL = 16;
const cluster = clusterOf("east");
const JOB = "/v1/clusters/east/namespaces/default/jobs/render";
/** The polls of a wait of 25 s: one at once, and one after each second. */
const POLLS = 26;

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
  report([
    measureOf("fleet: requests of a 404 by name", notFound),
    { name: "fleet: read units of a 404 by name", value: notFound.units, unit: "units" },
    { name: "wait: requests a second for a running Job", value: wait.requests / POLLS, unit: "requests" },
    { name: "wait: requests a second for an unknown Job", value: vainWait.requests / POLLS, unit: "requests" },
  ]);

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

function measureOf(name: string, { requests }: { readonly requests: number }): Measure {
  return { name, value: requests, unit: `requests, ${NAMESPACES} namespaces`, goal: "<= 6" };
}

async function inParallel(count: number, work: (n: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < count; start += PARALLEL) {
    const numbers = Array.from({ length: Math.min(PARALLEL, count - start) }, (_, offset) => start + offset);
    await Promise.all(numbers.map(work));
  }
}
