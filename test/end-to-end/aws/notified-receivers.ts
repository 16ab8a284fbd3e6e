import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from "@aws-sdk/client-eventbridge";
import { CreateSecretCommand, PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { CreateTopicCommand, SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { createMessageQueue, type MessageQueue } from "../../../src/adapters/sqs/message-queue.ts";
import { type HookServer, startHookServer } from "../../support/notify/hook-server.ts";
import { type MailServer, startMailServer } from "../../support/notify/mail-server.ts";

/** Where the notifications of a deployed stage go. */
export interface NotifiedReceivers {
  readonly rulesFile: string;
  /** A webhook on this machine, whose messages are signed with {@link hookSecret}. */
  readonly hook: HookServer;
  readonly hookSecret: string;
  /** A webhook that answers 503. */
  readonly broken: HookServer;
  /** An incoming webhook of Slack. Its messages are grouped. */
  readonly chat: HookServer;
  /** A webhook that gets one message in {@link LIMITED_SECONDS}. */
  readonly limited: HookServer;
  /** Microsoft Teams, Alertmanager and a heartbeat, which differ by their paths. */
  readonly others: HookServer;
  readonly mailServer: MailServer;
  /** A webhook whose secret is missing until {@link storeLateSecret}. */
  readonly late: HookServer;
  /** A collector of traces. */
  readonly collector: HookServer;
  /** Creates the secret of the stage, in the account of an emulator. Resolves to its ARN. */
  storeSecrets(environment: Readonly<Record<string, string>>): Promise<string>;
  /** Adds {@link LATE_SECRET} to the secret of the stage. */
  storeLateSecret(): Promise<void>;
  /** Creates the bus and the topics, and a queue behind each that gets every message. */
  open(): Promise<void>;
  /** The keys of the messages in the queue behind the bus or the topic so far, each as often as it came. */
  keys(of: "bus" | "topic"): Promise<readonly string[]>;
  /** The e-mails that the topic of the e-mail receiver would send so far. */
  mails(): Promise<readonly Mail[]>;
  close(): Promise<void>;
}

/** The part of a notification of SNS that an e-mail shows. */
export interface Mail {
  readonly Subject: string;
  readonly Message: string;
}

export const LATE_SECRET = "LATE_SECRET";
export const LIMITED_SECONDS = 5;
export const GROUP_SECONDS = 5;
const BUS = "outlive-e2e";
const TOPIC = "outlive-e2e";
const MAIL_TOPIC = "outlive-e2e-mail";
const ACCOUNT = "000000000000";

type Hooks = Pick<NotifiedReceivers, "hook" | "broken" | "chat" | "limited" | "late" | "others" | "collector">;
type Queued = "bus" | "topic" | "mail";

/** Starts the webhooks and writes the rule file: both are needed before the stage is deployed. */
export async function startReceivers(region: string): Promise<NotifiedReceivers> {
  const hooks = await startHooks();
  const mailServer = await startMailServer({});
  const folder = mkdtempSync(join(tmpdir(), "outlive-rules-"));
  const rulesFile = join(folder, "rules.yaml");
  const arnOf = (topic: string): string => `arn:aws:sns:${region}:${ACCOUNT}:${topic}`;
  writeFileSync(rulesFile, rulesFor(hooks, { topic: arnOf(TOPIC), mailTopic: arnOf(MAIL_TOPIC) }));
  const hookSecret = `whsec_${randomBytes(24).toString("base64")}`;
  const queues = new Map<Queued, { readonly queue: MessageQueue; readonly bodies: string[] }>();
  const bodies = async (of: Queued): Promise<readonly string[]> => {
    const opened = queues.get(of);
    const received = (await opened?.queue.receive()) ?? [];
    await opened?.queue.remove(received);
    opened?.bodies.push(...received.map(({ body }) => body));
    return opened?.bodies ?? [];
  };
  return {
    rulesFile,
    ...hooks,
    hookSecret,
    mailServer,
    ...secretOf({ ...hooks, mailServer }, hookSecret),
    open: async () => {
      const sqs = new SQSClient({});
      const opened = async (of: Queued): Promise<string> => {
        const { queue, arn } = await openQueue(sqs, `outlive-e2e-${of}`);
        queues.set(of, { queue, bodies: [] });
        return arn;
      };
      await forwardBus(await opened("bus"));
      await forwardTopic(TOPIC, await opened("topic"), { RawMessageDelivery: "true" });
      await forwardTopic(MAIL_TOPIC, await opened("mail"), {});
    },
    keys: async (of) => (await bodies(of)).map((body) => keyIn(of, body)),
    mails: async () => (await bodies("mail")).map((body) => JSON.parse(body) as Mail),
    close: async () => {
      await Promise.all([...Object.values(hooks), mailServer].map((server) => server.close()));
      rmSync(folder, { recursive: true });
    },
  };
}

async function startHooks(): Promise<Hooks> {
  const [hook, broken, chat, limited, late, others, collector] = await Promise.all([
    startHookServer(),
    startHookServer(),
    startHookServer(),
    startHookServer(),
    startHookServer(),
    startHookServer(),
    startHookServer(),
  ]);
  broken.answerWith((response) => response.writeHead(503).end());
  collector.answerWith((response) => response.writeHead(200).end("{}"));
  return { hook, broken, chat, limited, late, others, collector };
}

function secretOf(
  { chat, others, mailServer }: Hooks & Pick<NotifiedReceivers, "mailServer">,
  hookSecret: string,
): Pick<NotifiedReceivers, "storeSecrets" | "storeLateSecret"> {
  const secrets = {
    HOOK_SECRET: hookSecret,
    CHAT_URL: chat.url,
    TEAMS_URL: new URL("/teams", others.url).href,
    ALERTS_URL: new URL("/alerts", others.url).href,
    CHECK_URL: new URL("/check", others.url).href,
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
  };
  let secretId = "";
  return {
    storeSecrets: async (environment) => {
      const create = { Name: "outlive-e2e-rules", SecretString: JSON.stringify(secrets) };
      const { ARN = "" } = await secretsClientOf(environment).send(new CreateSecretCommand(create));
      secretId = ARN;
      return ARN;
    },
    storeLateSecret: async () => {
      const SecretString = JSON.stringify({ ...secrets, [LATE_SECRET]: "late" });
      await new SecretsManagerClient({}).send(new PutSecretValueCommand({ SecretId: secretId, SecretString }));
    },
  };
}

interface Topics {
  readonly topic: string;
  readonly mailTopic: string;
}

/** The functions of an emulator reach the receivers on this machine, which those of AWS may not. */
const LOCAL = "allowAddresses: [127.0.0.0/8]";

function rulesFor({ hook, broken, limited, late, collector }: Hooks, { topic, mailTopic }: Topics): string {
  return `rules:
  - name: failures
    match: { clusters: [notified-*], states: [Failed] }
    to: [broken, hook, bus, topic, mail, chat, limited, late, teams, alerts, check, smtp, traces]
receivers:
  - { name: broken, webhook: { url: "${broken.url}" }, ${LOCAL} }
  - { name: hook, webhook: { url: "${hook.url}", secretEnv: HOOK_SECRET }, ${LOCAL} }
  - { name: bus, eventbridge: { bus: ${BUS} } }
  - { name: topic, sns: { topic: "${topic}" } }
  - { name: mail, email: { topic: "${mailTopic}" } }
  - { name: teams, teams: { urlEnv: TEAMS_URL }, ${LOCAL} }
  - { name: alerts, alertmanager: { urlEnv: ALERTS_URL }, ${LOCAL} }
  - { name: check, heartbeat: { urlEnv: CHECK_URL }, ${LOCAL} }
  - { name: smtp, smtp: { urlEnv: SMTP_URL, from: outlive@example.org, to: [ops@example.org] }, ${LOCAL} }
  - { name: chat, slack: { urlEnv: CHAT_URL }, ${LOCAL}, group: { wait: ${GROUP_SECONDS}s } }
  - { name: limited, webhook: { url: "${limited.url}" }, ${LOCAL}, rateLimit: { max: 1, per: ${LIMITED_SECONDS}s } }
  - { name: late, webhook: { url: "${late.url}", secretEnv: ${LATE_SECRET} }, ${LOCAL} }
  - { name: traces, otlp: { url: "${new URL(collector.url).origin}" }, ${LOCAL} }
`;
}

/** A client for the emulator, before this process has its address in the environment. */
function secretsClientOf(environment: Readonly<Record<string, string>>): SecretsManagerClient {
  return new SecretsManagerClient({
    endpoint: environment["AWS_ENDPOINT_URL"] ?? "",
    region: environment["AWS_REGION"] ?? "",
    credentials: {
      accessKeyId: environment["AWS_ACCESS_KEY_ID"] ?? "",
      secretAccessKey: environment["AWS_SECRET_ACCESS_KEY"] ?? "",
    },
  });
}

async function openQueue(sqs: SQSClient, QueueName: string) {
  const { QueueUrl = "" } = await sqs.send(new CreateQueueCommand({ QueueName }));
  const wanted = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] });
  const { Attributes } = await sqs.send(wanted);
  return { queue: createMessageQueue(sqs, QueueUrl), arn: Attributes?.["QueueArn"] ?? "" };
}

async function forwardBus(queueArn: string): Promise<void> {
  const events = new EventBridgeClient({});
  const rule = { Rule: "all", EventBusName: BUS };
  await events.send(new CreateEventBusCommand({ Name: BUS }));
  const EventPattern = JSON.stringify({ source: ["outlive"] });
  await events.send(new PutRuleCommand({ Name: "all", EventBusName: BUS, EventPattern, State: "ENABLED" }));
  await events.send(new PutTargetsCommand({ ...rule, Targets: [{ Id: "queue", Arn: queueArn }] }));
}

/** Without raw delivery, the queue gets the subject, too. */
async function forwardTopic(
  Name: string,
  Endpoint: string,
  Attributes: Readonly<Record<string, string>>,
): Promise<void> {
  const sns = new SNSClient({});
  const { TopicArn } = await sns.send(new CreateTopicCommand({ Name }));
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: "sqs", Endpoint, Attributes }));
}

/** The identity of the delivery: in the event's detail, or in the CloudEvent. */
function keyIn(of: "bus" | "topic", body: string): string {
  const message = JSON.parse(body) as { readonly detail?: { readonly key: string }; readonly id?: string };
  return (of === "bus" ? message.detail?.key : message.id) ?? "";
}
