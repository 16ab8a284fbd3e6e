import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from "@aws-sdk/client-eventbridge";
import { CreateTopicCommand, SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { createMessageQueue, type MessageQueue } from "../../../src/sqs/message-queue.ts";
import { type HookServer, startHookServer } from "../../support/notify/hook-server.ts";

/** Where the notifications of a deployed stage go. */
export interface NotifiedReceivers {
  readonly rulesFile: string;
  /** A webhook on this machine. */
  readonly hook: HookServer;
  /** A webhook that answers 503. */
  readonly broken: HookServer;
  /** Creates the bus and the topic, and a queue behind each that gets every message. */
  open(): Promise<void>;
  /** The keys of the messages in the queue behind the bus or the topic so far, each as often as it came. */
  keys(of: "bus" | "topic"): Promise<readonly string[]>;
  close(): Promise<void>;
}

const BUS = "outlive-e2e";
const TOPIC = "outlive-e2e";
const ACCOUNT = "000000000000";

/** Starts the webhooks and writes the rule file: both are needed before the stage is deployed. */
export async function startReceivers(region: string): Promise<NotifiedReceivers> {
  const [hook, broken] = await Promise.all([startHookServer(), startHookServer()]);
  broken.answerWith((response) => response.writeHead(503).end());
  const folder = mkdtempSync(join(tmpdir(), "outlive-rules-"));
  const rulesFile = join(folder, "rules.yaml");
  const topicArn = `arn:aws:sns:${region}:${ACCOUNT}:${TOPIC}`;
  writeFileSync(rulesFile, rulesFor({ hook, broken }, topicArn));
  const queues = new Map<"bus" | "topic", { readonly queue: MessageQueue; readonly keys: string[] }>();
  return {
    rulesFile,
    hook,
    broken,
    open: async () => {
      const sqs = new SQSClient({});
      const bus = await openQueue(sqs, "outlive-e2e-bus");
      const topic = await openQueue(sqs, "outlive-e2e-topic");
      await forwardBus(bus.arn);
      await forwardTopic(topicArn, topic.arn);
      queues.set("bus", { queue: bus.queue, keys: [] });
      queues.set("topic", { queue: topic.queue, keys: [] });
    },
    keys: async (of) => {
      const { queue, keys } = queues.get(of) ?? {};
      const received = (await queue?.receive()) ?? [];
      await queue?.remove(received);
      keys?.push(...received.map(({ body }) => keyIn(of, body)));
      return keys ?? [];
    },
    close: async () => {
      await Promise.all([hook.close(), broken.close()]);
      rmSync(folder, { recursive: true });
    },
  };
}

function rulesFor({ hook, broken }: Pick<NotifiedReceivers, "hook" | "broken">, topicArn: string): string {
  return `rules:
  - name: failures
    match: { clusters: [notified-*], states: [Failed] }
    to: [broken, hook, bus, topic]
receivers:
  - { name: broken, webhook: { url: "${broken.url}" } }
  - { name: hook, webhook: { url: "${hook.url}" } }
  - { name: bus, eventbridge: { bus: ${BUS} } }
  - { name: topic, sns: { topic: "${topicArn}" } }
`;
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

async function forwardTopic(topicArn: string, queueArn: string): Promise<void> {
  const sns = new SNSClient({});
  await sns.send(new CreateTopicCommand({ Name: TOPIC }));
  const raw = { RawMessageDelivery: "true" };
  await sns.send(new SubscribeCommand({ TopicArn: topicArn, Protocol: "sqs", Endpoint: queueArn, Attributes: raw }));
}

/** The identity of the delivery: in the event's detail, or in the CloudEvent. */
function keyIn(of: "bus" | "topic", body: string): string {
  const message = JSON.parse(body) as { readonly detail?: { readonly key: string }; readonly id?: string };
  return (of === "bus" ? message.detail?.key : message.id) ?? "";
}
