import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateSecretCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterNamed } from "../../../support/facts/names.ts";
import { failingJob } from "../../../support/notify/failing-job.ts";
import { type HookServer, startHookServer } from "../../../support/notify/hook-server.ts";
import { type DeployedStack, deployStack, speakTo, TRIAL } from "../deployed-stack.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { sealed } from "../recorded-clusters.ts";
import { createStackTools, type StackTools } from "../stack-tools.ts";

const wanted = emulatorWanted();
/** Only LocalStack lets the messages of a queue wait for the batching window of the function. */
const isRun = wanted.outcome === "run" && wanted.name === "localstack";
const WAIT_MILLIS = 20_000;
const JOBS = ["charge", "refund", "invoice", "settle", "export"];

const scratch = mkdtempSync(join(tmpdir(), "outlive-grouped-"));
let deployed: DeployedStack | undefined;
let chat: HookServer | undefined;
let tools: StackTools;

beforeAll(async () => {
  if (!isRun) return;
  // The emulator's launcher reads it. Files of tests have a process of their own.
  process.env["OUTLIVE_BATCHING_WINDOW"] = "1";
  chat = await startHookServer();
  const rules = join(scratch, "rules.yaml");
  writeFileSync(
    rules,
    `rules: [{ name: failures, match: { states: [Failed] }, to: [chat] }]
receivers:
  - name: chat
    slack: { urlEnv: CHAT_URL }
    allowAddresses: [127.0.0.0/8]
    group: { wait: ${WAIT_MILLIS / 1000}s }
`,
  );
  const settings = { ...TRIAL, rules };
  deployed = await deployStack("localstack", settings, { prepare: storeSecret });
  speakTo(deployed);
  tools = createStackTools(deployed);
});
afterAll(async () => {
  deployed?.stop();
  await chat?.close();
  rmSync(scratch, { recursive: true });
});

async function storeSecret(environment: Readonly<Record<string, string>>) {
  const client = new SecretsManagerClient({
    endpoint: environment["AWS_ENDPOINT_URL"] ?? "",
    region: environment["AWS_REGION"] ?? "",
    credentials: {
      accessKeyId: environment["AWS_ACCESS_KEY_ID"] ?? "",
      secretAccessKey: environment["AWS_SECRET_ACCESS_KEY"] ?? "",
    },
  });
  const SecretString = JSON.stringify({ CHAT_URL: chat?.url });
  const { ARN = "" } = await client.send(new CreateSecretCommand({ Name: "outlive-grouped", SecretString }));
  return { rulesSecret: ARN };
}

/**
 * Resolves when the stage notifies. The function reads what is written from the creation of its event source on, which
 * may be some time after the deployment.
 */
async function notifies(): Promise<void> {
  let sent = 0;
  const isReceived = async () => {
    if (received().length > 0) return true;
    sent += 1;
    await fail(`warm-up-${sent}`, ["start"]);
    return undefined;
  };
  await poll("a message is received", isReceived, { pause: WAIT_MILLIS });
}

async function isIntervalYoung(): Promise<true | undefined> {
  return Date.now() % WAIT_MILLIS < WAIT_MILLIS / 4 ? true : undefined;
}

/** The Jobs fail within one interval of the group: it is sent when the interval ends. */
async function failTogether(cluster: string): Promise<void> {
  await poll("an interval begins", isIntervalYoung);
  await fail(cluster, JOBS);
}

async function fail(cluster: string, jobs: readonly string[]): Promise<void> {
  const beganAt = new Date(Date.now() - 60_000).toISOString();
  const facts = jobs.flatMap((job) => failingJob(`${cluster}-${job}`, beganAt).flat());
  const recorded = { cluster: clusterNamed(cluster), facts };
  await tools.send(recorded, sealed(recorded, Date.now()));
}

function received() {
  return chat?.received ?? [];
}

interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly { readonly text?: { readonly text: string } }[];
}

function messages(): readonly SlackMessage[] {
  return received().map(({ body }) => JSON.parse(body) as SlackMessage);
}

describe.skipIf(!isRun)("Jobs of a namespace that fail together", () => {
  it("are one message to Slack, which names each of them", async () => {
    await notifies();
    await failTogether("grouped");
    await poll("the Jobs were sent", async () => namedIn(messages(), "grouped"));
    const sent = messages().filter(({ text }) => text.includes("grouped/"));
    expect(sent.map(({ text }) => text)).toEqual(["🔴 5 messages of rule failures about grouped/default"]);
    const shown = sent.flatMap(({ blocks }) => blocks.slice(1).flatMap(({ text }) => text?.text.split("\n", 1) ?? []));
    expect(shown.toSorted()).toEqual(JOBS.map((job) => `Job grouped/default/grouped-${job}`).toSorted());
  });

  it("are counted as delivered one by one", async () => {
    const { stdout } = await tools.outlive(["rules", "status", "--stage", deployed?.stage ?? "", "-o", "json"]);
    const { receivers } = JSON.parse(stdout) as { readonly receivers: readonly { readonly delivered: number }[] };
    expect(receivers).toMatchObject([{ receiver: "chat", waiting: 0, dead: 0 }]);
    expect(receivers[0]?.delivered).toBeGreaterThan(JOBS.length);
  });
});

/** Whether the messages name each Job of a cluster. */
function namedIn(sent: readonly SlackMessage[], cluster: string): true | undefined {
  const text = JSON.stringify(sent);
  return JOBS.every((job) => text.includes(`${cluster}-${job}`)) ? true : undefined;
}
