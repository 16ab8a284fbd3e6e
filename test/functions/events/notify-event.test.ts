import { emptyRun, joinRunFacts } from "../../../src/explain/run/run-record.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { encodedRun } from "../../../src/projection/run-state/project-run.ts";
import { isTrue, parentObserved } from "../../support/facts/parent-facts.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import type { DynamoDBRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { uniformRetention } from "../../../src/ports/expiry/job-expiry.ts";
import { onNotify } from "../../../functions/events/notify-event.ts";
import { AwsThrottledError } from "../../../src/adapters/aws/aws-error.ts";
import { fromJobState } from "../../../src/adapters/dynamodb/jobs/job-item.ts";
import { ScheduleWatch } from "../../../src/notify/watch-schedules.ts";
import type { MetaKind } from "../../../src/ports/meta.ts";
import type { RowWrite } from "../../../src/ports/row-write.ts";
import type { WakeUp } from "../../../src/ports/wake-ups.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";
import { rulesOf } from "../../support/notify/notified-tracker.ts";
import { ruleOf } from "../../support/story/notified.ts";

const TABLES = { A: "Stack-JobsA", B: "Stack-JobsB" };
const RUN_TABLES = { A: "RunsA", B: "RunsB" };
const ARN = "arn:aws:dynamodb:eu-central-1:123456789012:table/Stack-JobsA/stream/2026-11-21T00:00:00.000";

type Image = NonNullable<NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"]>;

function imageOf({ key, after }: RowWrite): Image {
  const item = fromJobState(
    key,
    { bytes: Uint8Array.of(1), row: after },
    { version: 1, now: 0, retention: uniformRetention(30) },
  );
  const attributes = Object.entries(item).map(([name, { S, N, B }]): readonly [string, Image[string]] => {
    if (S !== undefined) return [name, { S }];
    return [name, N === undefined ? { B: Buffer.from(B ?? []).toString("base64") } : { N }];
  });
  return Object.fromEntries(attributes);
}

function record(write: RowWrite, arn = ARN): DynamoDBRecord {
  const { before, writtenAt } = write;
  return {
    eventName: before === undefined ? "INSERT" : "MODIFY",
    eventSourceARN: arn,
    dynamodb: {
      ApproximateCreationDateTime: writtenAt / 1_000,
      NewImage: imageOf(write),
      ...(before && { OldImage: imageOf({ ...write, after: before }) }),
    },
  };
}

async function notifying() {
  const stage = new NotifiedStage();
  await stage.receiveAll(failingJob());
  const told = new FunctionJournal();
  const failing = new Map<MetaKind, () => Error>();
  const meta = new Proxy(stage.meta, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (kind: MetaKind, ...more: readonly unknown[]) => {
        const failure = failing.get(kind);
        return failure === undefined
          ? (Reflect.apply(member, target, [kind, ...more]) as unknown)
          : Promise.reject(failure());
      };
    },
  });
  const wakeUps = { send: async (some: readonly WakeUp[]) => void stage.queued.push(...some) };
  const { log, projections } = stage;
  const dependencies = {
    meta,
    log,
    projections,
    wakeUps,
    tables: TABLES,
    runTables: RUN_TABLES,
    count: told.count,
    logger: told.logger,
  };
  const run = (event: Parameters<typeof onNotify>[1]) => {
    const setup = { rules: stage.rules, now: () => stage.now };
    return onNotify({ ...dependencies, setup, watch: new ScheduleWatch() }, event, told.context);
  };
  return { stage, told, failing, run, records: stage.reported().map((write) => record(write)) };
}

describe("records of the stream of Jobs", () => {
  it("wake the receivers of what they change", async () => {
    const { stage, told, run, records } = await notifying();
    await run({ Records: records });
    expect(stage.queued).toEqual([{ receiver: "hook", subject: "east#Job#charge", at: stage.now }]);
    expect(told.counts).toEqual({ UnnotifiedChanges: 0 });
  });

  it("of the table that does not answer change nothing", async () => {
    const { stage, run, records } = await notifying();
    await run({ Records: records.map((one) => ({ ...one, eventSourceARN: ARN.replace("JobsA", "JobsB") })) });
    expect(stage.queued).toEqual([]);
  });

  it("and those of runs wake the receivers of a run that failed", async () => {
    const { stage, run } = await notifying();
    const failed = parentObserved({ at: stage.now, conditions: [isTrue("Failed", stage.now)] });
    const jobUid = decodeJobUid(failed.runUid) ?? expect.fail();
    const key = { cluster: clusterOf("east"), jobUid };
    const encoded = encodedRun(joinRunFacts(emptyRun(jobUid), [failed]));
    await stage.projections.runs("A").write(key, encoded, 0);
    const write = { projection: "A", writtenAt: stage.now, key, after: encoded.row ?? expect.fail() } as const;
    await run({ Records: [record(write, ARN.replace("Stack-JobsA", RUN_TABLES.A))] });
    expect(stage.queued).toEqual([{ receiver: "hook", subject: "east#Run#js-1", at: stage.now }]);
  });

  it("are reported again after an outage", async () => {
    const { stage, failing, run, records } = await notifying();
    failing.set("notice", () => new AwsThrottledError("throttled"));
    await expect(run({ Records: records })).rejects.toThrow("throttled");
    failing.clear();
    await run({ Records: records });
    expect(stage.queued).toHaveLength(1);
  });

  it("that cannot be checked are counted and logged, and do not stop the stream", async () => {
    const { told, failing, run, records } = await notifying();
    failing.set("notice", () => new TypeError("broken record"));
    await run({ Records: records });
    expect(told.counts).toEqual({ UnnotifiedChanges: 1 });
    expect(told.lines[0]).toMatch(/^ERROR The change of a Job could not be checked/);
  });
});

describe("the schedule", () => {
  const event = { source: "aws.events" } as unknown as Parameters<typeof onNotify>[1];

  it("checks CronJobs and clusters if a rule names their findings", async () => {
    const { stage, told, run } = await notifying();
    stage.rules = rulesOf([ruleOf({ match: { states: [], findings: ["ClusterSilent"] } })]);
    await run(event);
    expect(told.lines).toEqual(["INFO CronJobs and clusters were checked against the rules."]);
  });

  it("wakes receivers of messages that wait without a wake-up, once an hour", async () => {
    const { stage, told, run, records } = await notifying();
    await run({ Records: records });
    stage.queued.splice(0);
    stage.now = Date.parse("2026-01-01T01:55:00Z");
    await run(event);
    expect(stage.queued).toEqual([]);
    stage.now = Date.parse("2026-01-01T02:00:01Z");
    await run(event);
    expect(stage.queued).toMatchObject([{ receiver: "hook", subject: "east#Job#charge" }]);
    expect(told.lines[0]).toMatch(/^WARN Messages had lost their wake-ups/);
  });

  it("reads nothing otherwise", async () => {
    const { told, failing, run } = await notifying();
    failing.set("cluster", () => new Error("clusters should not be read"));
    await run(event);
    expect(told.lines).toEqual([]);
  });
});
