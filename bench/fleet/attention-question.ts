import { EARLIEST } from "../../src/job/model/instant.ts";
import { clusterOf } from "../../test/support/story/listed-job.ts";
import { Story } from "../../test/support/story/story.ts";
import { tell } from "../../test/support/stores/stores-with-facts.ts";
import type { DynamoLocal } from "../../test/support/aws/dynamodb-local.ts";
import { createTables } from "../dynamodb/tables.ts";
import type { Measure } from "../measuring/measure.ts";
import { MeteredApi } from "./metered-api.ts";

const CLUSTERS = 200;
/** More than one answer reads. */
const FAILED_JOBS = 1_100;
/** A page asks when it opens, and after changes, but at most once a minute. */
const MOST_PER_HOUR = 60;

/** What the first view of the page takes of a stage of 200 clusters, quiet and with many failed Jobs. */
export async function measureAttention(dynamo: DynamoLocal): Promise<readonly Measure[]> {
  const api = new MeteredApi(await createTables(dynamo));
  const { wide } = api.stores.projections.open("A");
  await wide?.writeCoverage({ since: EARLIEST, sweptTo: Date.now(), isConverted: true }, 0);
  for (let n = 0; n < CLUSTERS; n += 1) await api.register("cluster", clusterOf(`cluster-${n}`));
  const quiet = await api.first("/v1/attention");
  for (let n = 0; n < FAILED_JOBS; n += 1) await tell(api.stores, failedJob(n), { cluster: `cluster-${n % CLUSTERS}` });
  const busy = await api.first("/v1/attention");
  const name = `fleet: requests to DynamoDB of /v1/attention, ${CLUSTERS}`;
  return [
    { name: `${name} quiet clusters`, value: quiet.requests, unit: "requests", goal: "<= 420" },
    { name: `${name} quiet clusters: read units`, value: quiet.billed, unit: "RU" },
    { name: `${name} clusters, ${FAILED_JOBS} failed Jobs`, value: busy.requests, unit: "requests" },
    { name: `${name} clusters, ${FAILED_JOBS} failed Jobs: read units`, value: busy.billed, unit: "RU" },
    {
      name: "fleet: read units per hour of an attention view of the fleet, at most, modelled",
      value: busy.billed * MOST_PER_HOUR,
      unit: "RU",
    },
    {
      name: "fleet: bytes of /v1/attention with 200 entries",
      value: Buffer.byteLength(JSON.stringify(busy.body)),
      unit: "bytes",
      goal: "<= 150000",
    },
  ];
}

function failedJob(n: number): Story["facts"] {
  const story = new Story(`failed-${n}`);
  story.after(n);
  story.jobCreated({ backoffLimit: 0 }, { namespace: "batch", name: `failed-${n}`, createdAt: story.now });
  story.podFails("a", 1, 5);
  story.jobFinished("Failed", "BackoffLimitExceeded");
  return story.facts;
}
