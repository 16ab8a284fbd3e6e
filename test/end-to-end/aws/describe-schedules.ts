import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, it } from "vitest";
import { createDynamoMetaStore } from "../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { formatInstant, type Instant } from "../../../src/job/model/instant.ts";
import { SCHEDULES_KEY } from "../../../src/ports/meta-key.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";
import { heartbeat } from "../../support/story/watched-clusters.ts";
import type { ApiClient } from "./api-client.ts";
import type { DeployedStack } from "./deployed-stack.ts";
import { poll } from "./poll.ts";
import { type RecordedCluster, sealed } from "./recorded-clusters.ts";
import type { StackTools } from "./stack-tools.ts";

export interface ScheduledStage {
  readonly stack: DeployedStack;
  readonly tools: StackTools;
  readonly api: ApiClient;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MISSED = 'outlive_cronjob_missed_runs_total{cluster="scheduled-eu",namespace="batch",cronjob="report"}';
const OPEN = 'outlive_findings{cluster="scheduled-eu",namespace="batch",kind="MissedRun"}';

/** A CronJob that missed a run, in a stage that was deployed with `-c jobAlarms=true`. */
export function describeSchedules(open: () => ScheduledStage): void {
  it("shows each missed run once, however often its cluster reports it", async () => {
    const { stack, tools, api } = open();
    const scheduled = { cluster: clusterNamed("scheduled-eu"), facts: scheduledFacts(Date.now()) };
    await sendTwice(tools, scheduled);
    const shown = async () => {
      const { text } = await api.ask("/v1/metrics");
      return new Map(text.split("\n").map((line) => [line.slice(0, line.lastIndexOf(" ")), line.split(" ").at(-1)]));
    };
    const counted = async () => {
      await countNow(stack, tools);
      return (await shown()).get(MISSED);
    };
    expect(await poll("the missed run is counted", counted)).toBe("1");
    await sendTwice(tools, scheduled);
    await countNow(stack, tools);
    expect([(await shown()).get(MISSED), (await shown()).get(OPEN)]).toEqual(["1", "1"]);
    await poll("CloudWatch gets it", async () => {
      await countNow(stack, tools);
      return (await tools.published("MissedRuns")) > 0 ? true : undefined;
    });
    expect(await tools.published("MissedRuns")).toBe(1);
  });

  it("has the alarms about Jobs, on the metrics that its function publishes", async () => {
    const alarms = await alarmsOf(open().stack);
    for (const [name, metric] of [
      ["JobsFail", "JobsFailed"],
      ["RunsMissed", "MissedRuns"],
      ["RunsNeedless", "WastedSeconds"],
    ]) {
      const named = alarms.filter((text) => text.split("</AlarmName>")[0]?.includes(`Alarms${name}`));
      expect(named, name).toEqual([expect.stringContaining(`<MetricName>${metric}</MetricName>`)]);
    }
  });
}

/**
 * An hourly CronJob whose last due time was half an hour ago. The runs of that time and of the one before were not
 * made: the last one may still start late, the other was missed.
 */
function scheduledFacts(now: Instant): readonly Fact[] {
  const last = Math.floor((now - HOUR / 2) / MINUTE) * MINUTE;
  const createdAt = last - 3 * HOUR - MINUTE;
  const [name, namespace, uid] = ["report", "batch", "cron-report"];
  const { epoch, resourceVersion } = heartbeat(createdAt, "v1.36.3");
  const cronJob: Fact = {
    epoch,
    resourceVersion,
    at: createdAt,
    kind: "CronJobObserved",
    namespace,
    name,
    cronJobUid: uid,
    createdAt,
    generation: 1,
    schedule: `${new Date(last).getUTCMinutes()} * * * *`,
    suspend: false,
    concurrencyPolicy: "Allow",
  };
  const runs = [3, 2].flatMap((back) => {
    const due = last - back * HOUR;
    const story = new Story(`report-run-${back}`, formatInstant(due + 2_000));
    const owner = { kind: "CronJob", name, uid };
    story.jobCreated({}, { namespace, name: `${name}-${due / MINUTE}`, owner, scheduledAt: due });
    story.podSucceeds("a", 20);
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    return story.facts;
  });
  return [cronJob, ...runs, heartbeat(now, "v1.36.3")];
}

async function sendTwice(tools: StackTools, cluster: RecordedCluster): Promise<void> {
  const messages = sealed(cluster, Date.now());
  await tools.send(cluster, [...messages, ...messages]);
}

/** Lets the stage count schedules without waiting for the five minutes between two counts. */
async function countNow({ outputs }: DeployedStack, tools: StackTools): Promise<void> {
  const meta = createDynamoMetaStore(new DynamoDBClient({}), { table: outputs.MetaTable, retentionDays: 400 });
  const stored = await meta.read("position", SCHEDULES_KEY);
  if (stored !== undefined) {
    const value = JSON.stringify({ ...(JSON.parse(stored.value) as object), nextAt: 0 });
    await meta.write("position", SCHEDULES_KEY, { value, expected: stored.version });
  }
  await tools.count();
}

/** The alarms of the account, each as the XML of CloudWatch from its name on. Emulators do not check the signature. */
async function alarmsOf({ emulator }: DeployedStack): Promise<readonly string[]> {
  const region = emulator.environment["AWS_REGION"] ?? "";
  const response = await fetch(emulator.endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      authorization: `AWS4-HMAC-SHA256 Credential=test/20261121/${region}/monitoring/aws4_request`,
    },
    body: "Action=DescribeAlarms&Version=2010-08-01&MaxRecords=100",
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`DescribeAlarms: ${response.status} ${text}`);
  return text.split("<AlarmName>").slice(1);
}
