// What does a change of a retention rule or a legal hold cost on DynamoDB, for Jobs that are stored already? One-Pod
// Jobs of the reference fleet are projected into both tables of Jobs on DynamoDB Local. Then a hold on their namespace
// is set, and both rounds of the pass run. The units are those that DynamoDB reports, and do not depend on the machine.
// The template's failed Job, one of a hundred, is live in its table and has no expiry.
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { JOBS_SCHEMA, META_SCHEMA, RUNS_SCHEMA, type TableSchema } from "../../src/ports/deployment/tables.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoJobExpiries } from "../../src/adapters/dynamodb/jobs/dynamo-job-expiries.ts";
import { createDynamoJobStore } from "../../src/adapters/dynamodb/jobs/dynamo-job-store.ts";
import { holdKey } from "../../src/ports/meta-key.ts";
import { writeRecord } from "../../src/ports/records/record-codec.ts";
import { projectSegments } from "../../src/projection/project-segments.ts";
import { renewExpiries, RULES_SETTLED_MS } from "../../src/upkeep/retention/renew-expiries.ts";
import { holdRecord, legalHolds } from "../../src/upkeep/holds/legal-holds.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { startDynamoLocal } from "../../test/support/aws/dynamodb-local.ts";
import { clusterNamed } from "../../test/support/facts/names.ts";
import { fleetJobs } from "../archive/job-copies.ts";
import { Meter, type Units } from "../dynamodb/meter.ts";
import { type Measure, report } from "../measuring/measure.ts";
import { benchOptions } from "../measuring/options.ts";

const JOBS = benchOptions(["jobs"]).positive("jobs", 1_000);
const SEGMENT = 100;
const NOW = Date.UTC(2026, 10, 21, 12);
const RETRY = { attempts: 3, pause: async () => {} };
const cluster = clusterNamed("east");

const dynamo = await startDynamoLocal();
try {
  const meter = new Meter();
  const client = meter.attach(dynamo.client({ maxAttempts: 20 }));
  const [a, b, meta] = [await table(JOBS_SCHEMA), await table(JOBS_SCHEMA), await table(META_SCHEMA)];
  const records = createDynamoMetaStore(client, { table: meta, retentionDays: 400 });
  for (const jobs of [a, b]) await fill(client, { jobs, records });
  await writeRecord(records, holdRecord, {
    key: holdKey({ cluster, namespace: "batch" }),
    value: { reason: "case-4711", heldAt: new Date(NOW).toISOString() },
    expected: 0,
  });
  const runs = createDynamoJobExpiries(client, { table: await table(RUNS_SCHEMA), content: "runs" });
  const expiries = {
    A: { jobs: createDynamoJobExpiries(client, { table: a }), runs },
    B: { jobs: createDynamoJobExpiries(client, { table: b }), runs },
  };
  const measures: Measure[] = [];
  for (const [round, now] of [NOW, NOW + RULES_SETTLED_MS].entries()) {
    meter.reset();
    const run = { now: () => now, standardDays: 400, hasTime: () => true };
    const [change] = await renewExpiries({ meta: records, expiries, holds: [legalHolds] }, run);
    if (change?.progress?.value.rounds !== round + 1) throw new Error("the pass has not ended");
    const units = [a, b].map((jobs) => meter.of(jobs));
    measures.push(
      ...measuresOf(`round ${round + 1}`, units),
      ...measuresOf(`round ${round + 1}, records`, [meter.of(meta)]),
    );
  }
  report(measures);

  async function table(schema: TableSchema): Promise<string> {
    const name = await dynamo.createTable(schema);
    meter.know(name, schema);
    return name;
  }
} finally {
  await dynamo.stop();
}

interface Filled {
  readonly jobs: string;
  readonly records: ReturnType<typeof createDynamoMetaStore>;
}

async function fill(client: DynamoDBClient, { jobs, records }: Filled): Promise<void> {
  const store = createDynamoJobStore(client, { table: jobs, retentionDays: 400, now: () => NOW });
  const templates = fleetJobs();
  for (let first = 0; first < JOBS; first += SEGMENT) {
    const numbers = Array.from({ length: Math.min(SEGMENT, JOBS - first) }, (_, index) => first + index);
    const facts = numbers.flatMap((n) => templates[n % templates.length]?.copy(n, NOW - 7_200_000 + n) ?? []);
    const name = { cluster, sealedAt: NOW, session: "0123456789abcdef", sequence: first };
    const { refold } = await projectSegments({ jobs: store, meta: records }, [sealSegment({ ...name, facts })], RETRY);
    if (refold[0] !== undefined) throw refold[0].cause;
  }
}

/** For each 1,000 Jobs, in both tables of Jobs. */
function measuresOf(name: string, units: readonly Units[]): readonly Measure[] {
  const per = (of: (one: Units) => number) => (units.reduce((sum, one) => sum + of(one), 0) / JOBS) * 1_000;
  return [
    { name: `${name}: write units of items`, value: per((one) => one.table), unit: "units" },
    { name: `${name}: write units of index entries`, value: per((one) => one.indexes), unit: "units" },
    { name: `${name}: read units`, value: per((one) => one.read), unit: "units" },
    { name: `${name}: writes`, value: per((one) => one.writes), unit: "requests" },
    { name: `${name}: reads`, value: per((one) => one.reads), unit: "requests" },
  ];
}
