import { DynamoDBClient, GetItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hourBegin, hourOf } from "../../../../src/archive/layout/archive-hour.ts";
import type { JobAnswer } from "../../../../src/explain/answer-document.ts";
import { parseInstant } from "../../../../src/job/model/instant.ts";
import { NEVER } from "../../../../src/ports/expiry/job-expiry.ts";
import { endedJob, MINUTE, podReleased } from "../../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { type ApiClient, createApiClient, jobPath } from "../api-client.ts";
import { type DeployedStack, deployStack, speakTo, TRIAL } from "../deployed-stack.ts";
import { isArchived } from "../describe-archive.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { foldCluster, sealed } from "../recorded-clusters.ts";
import { createStackTools, type StackTools } from "../stack-tools.ts";

const wanted = emulatorWanted();
/** LocalStack's free edition has no Glue and no Athena, which belong to an archive. */
const isSkipped = wanted.outcome === "skip" || wanted.name !== "ministack";
const DAY = 86_400_000;
/** The same Job in three clusters: one keeps its Jobs shorter, one longer, and one has a legal hold. */
const CLUSTERS = ["shorter", "longer", "held"] as const;

let deployed: DeployedStack | undefined;
let stack: DeployedStack;
let api: ApiClient;
let tools: StackTools;
const jobs = new Map<string, JobAnswer>();

beforeAll(async () => {
  if (isSkipped) return;
  deployed = stack = await deployStack("ministack", { ...TRIAL, archive: "true" });
  speakTo(stack);
  api = createApiClient(stack.apiUrl);
  tools = createStackTools(stack);
  for (const name of CLUSTERS) await fill(name);
});
afterAll(() => deployed?.stop());

/** Sends a Job that has completed, in an hour that has closed. Its row rests at once, because its Pod is released. */
async function fill(name: (typeof CLUSTERS)[number]): Promise<void> {
  const arrivedAt = hourBegin(hourOf(Date.now()) - 3) + 1_000;
  const story = { name: "report", createdAt: arrivedAt - 10 * MINUTE };
  const facts = [...endedJob(story), podReleased(story, arrivedAt - MINUTE)];
  const recorded = { cluster: clusterNamed(name), facts };
  await tools.appendAt(sealed(recorded, arrivedAt - 500), arrivedAt);
  const [job] = (await foldCluster(recorded)).jobs;
  if (job === undefined) throw new Error("The facts are of no Job.");
  jobs.set(name, job);
  await poll(`${name} is projected`, () => expiryOf(job));
}

function jobOf(name: (typeof CLUSTERS)[number]): JobAnswer {
  const job = jobs.get(name);
  if (job === undefined) throw new Error(`Cluster ${name} has no Job.`);
  return job;
}

const keyOf = ({ cluster, uid }: JobAnswer) => ({ pk: { S: `${cluster}#${uid}` }, sk: { S: "S" } });

/** When the state of a Job expires; `undefined` while it is live, and where it was deleted. */
async function expiryOf(job: JobAnswer): Promise<number | undefined> {
  const { Item } = await new DynamoDBClient({}).send(
    new GetItemCommand({ TableName: stack.outputs.JobsTableA, Key: keyOf(job), ConsistentRead: true }),
  );
  return Item?.["ttl"]?.N === undefined ? undefined : Number(Item["ttl"].N) * 1_000;
}

/** As if the retention of the Job had ended a day ago. */
async function letExpire(job: JobAnswer): Promise<void> {
  await new DynamoDBClient({}).send(
    new UpdateItemCommand({
      TableName: stack.outputs.JobsTableA,
      Key: keyOf(job),
      UpdateExpression: "SET #ttl = :past",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: { ":past": { N: `${Math.floor((Date.now() - DAY) / 1_000)}` } },
    }),
  );
}

/** A command about the namespace of the Job of a cluster. */
async function run(name: (typeof CLUSTERS)[number], ...words: readonly string[]) {
  const { namespace } = jobOf(name);
  const place = ["--cluster", name, "-n", namespace, "--stage", stack.stage];
  return tools.outlive([...words, ...place]);
}

describe.skipIf(isSkipped)("the retention of a deployed stage", () => {
  it("follows the rules of its namespaces", async () => {
    const longer = await run("longer", "retention", "set", "4000");
    expect([longer.status, longer.stderr]).toEqual([0, expect.stringMatching(/kept for 4000 days.*follows? it/s)]);
    const shorter = await run("shorter", "retention", "set", "1");
    expect([shorter.status, shorter.stderr]).toEqual([0, expect.stringMatching(/kept for 1 day .*follows? it/s)]);
    const endedAt = parseInstant(jobOf("longer").finishedAt) ?? 0;
    expect(await expiryOf(jobOf("longer"))).toBe(endedAt + 4_000 * DAY);
    const inTwoDays = (await expiryOf(jobOf("shorter"))) ?? 0;
    expect(Math.abs(inTwoDays - Date.now() - 2 * DAY)).toBeLessThan(DAY / 2);
    const listed = await tools.outlive(["retention", "list", "--stage", stack.stage, "-o", "json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      items: [
        { cluster: "longer", days: 4_000, followed: "yes" },
        { cluster: "shorter", days: 1, followed: "yes" },
      ],
    });
  });

  it("keeps a Job under a legal hold, and answers about an expired one from the archive", async () => {
    await letExpire(jobOf("held"));
    await letExpire(jobOf("shorter"));
    const held = await run("held", "hold", "set", jobOf("held").name, "--reason", "case-4711");
    expect([held.status, held.stderr]).toEqual([0, expect.stringMatching(/under a legal hold: case-4711.*covers/s)]);
    expect(await expiryOf(jobOf("held"))).toBe(NEVER);
    await poll("the closed hours are archived", async () => (isArchived(await tools.archive()) ? true : undefined));
    expect(await tools.retain()).toMatchObject({ mayExpire: true, pending: 0 });
    await poll("the expired Job is deleted", async () =>
      (await expiryOf(jobOf("shorter"))) === undefined ? true : undefined,
    );
    const expired = await api.ask(`${jobPath(jobOf("shorter"))}?uid=${jobOf("shorter").uid}`);
    expect([expired.status, expired.headers.get("warning")]).toEqual([200, expect.stringContaining("has expired")]);
    const kept = await api.ask(`${jobPath(jobOf("held"))}?uid=${jobOf("held").uid}`);
    expect([kept.status, kept.headers.get("warning")]).toEqual([200, null]);
    expect(await expiryOf(jobOf("held"))).toBe(NEVER);
  });

  it("returns to its rule when a hold is released", async () => {
    const released = await run("held", "hold", "release", jobOf("held").name);
    expect([released.status, released.stderr]).toEqual([0, expect.stringContaining("two days at the earliest")]);
    const endedAt = parseInstant(jobOf("held").finishedAt) ?? 0;
    const expiry = (await expiryOf(jobOf("held"))) ?? 0;
    expect(expiry).toBeGreaterThanOrEqual(endedAt + 400 * DAY);
    expect(expiry).toBeLessThan(NEVER);
    const again = await run("held", "hold", "release", jobOf("held").name);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining("are not under a legal hold")]);
  });

  it("is refused for a stage that does not exist, and for less than a day", async () => {
    const unknown = await tools.outlive(["retention", "set", "30", "--cluster", "held", "--stage", "none"]);
    expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining("There is no stage none")]);
    const short = await run("held", "retention", "set", "12h");
    expect([short.status, short.stderr]).toEqual([2, expect.stringContaining("at least 1")]);
    expect(await expiryOf(jobOf("held"))).toBeLessThan(NEVER);
  });
});
