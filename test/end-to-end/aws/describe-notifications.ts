import { createHmac } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { failingJob } from "../../support/notify/failing-job.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import type { HookServer, ReceivedMessage } from "../../support/notify/hook-server.ts";
import type { MailServer } from "../../support/notify/mail-server.ts";
import type { DeployedStack } from "./deployed-stack.ts";
import { GROUP_SECONDS, LATE_SECRET, LIMITED_SECONDS, type NotifiedReceivers } from "./notified-receivers.ts";
import { poll } from "./poll.ts";
import { type RecordedCluster, sealed } from "./recorded-clusters.ts";
import type { StackTools } from "./stack-tools.ts";

export interface NotifiedStack {
  readonly stack: DeployedStack;
  readonly tools: StackTools;
  readonly receivers: NotifiedReceivers;
  /** Resolves when the API and `outlive fold` have the same answers. */
  readonly answersAsFolded: (recorded: RecordedCluster) => Promise<void>;
}

const JOBS = ["e2e-charge", "e2e-refund"];

function keys(receiver: string): readonly string[] {
  return JOBS.map((job) => `${job}/1/failures/${receiver}`);
}

function notified(): RecordedCluster {
  const beganAt = new Date(Date.now() - 60_000).toISOString();
  return { cluster: clusterNamed("notified-eu"), facts: JOBS.flatMap((job) => failingJob(job, beganAt).flat()) };
}

/** Two Jobs fail. The rule names every kind of receiver that an emulator or this machine has. */
export function describeNotifications(of: () => NotifiedStack): void {
  let context: NotifiedStack;
  let receivers: NotifiedReceivers;
  let sentAt: number;

  beforeAll(async () => {
    context = of();
    ({ receivers } = context);
    const sent = notified();
    sentAt = Date.now();
    const messages = sealed(sent, sentAt);
    await context.tools.send(sent, [...messages.toReversed(), ...messages]);
    await poll("every receiver has its messages", async () => {
      const { hook, broken, limited } = receivers;
      const queued = [await receivers.keys("bus"), await receivers.keys("topic"), await receivers.mails()];
      const lists = [...queued, hook.received, broken.received, limited.received];
      return lists.every((some) => some.length >= JOBS.length) && receivers.chat.received.length > 0 ? true : undefined;
    });
    await context.tools.send(sent, messages.toReversed());
    await context.answersAsFolded(sent);
  });

  it("sends each message once, though segments are delivered again and one receiver fails", async () => {
    const { hook } = receivers;
    expect(new Set(hook.effects().keys())).toEqual(new Set(keys("hook")));
    expect(hook.received).toHaveLength(JOBS.length);
    expect([...(await receivers.keys("bus"))].toSorted()).toEqual(keys("bus"));
    expect([...(await receivers.keys("topic"))].toSorted()).toEqual(keys("topic"));
  });

  it("signs the messages to a webhook with its secret from Secrets Manager", () => {
    for (const message of receivers.hook.received) {
      expect(message.headers["webhook-signature"]).toBe(`v1,${signatureOf(message, receivers.hookSecret)}`);
    }
  });

  it("sends to Teams, Alertmanager, a heartbeat and a mail server, at addresses from Secrets Manager", async () => {
    const { others, mailServer } = receivers;
    await poll("all have both messages", async () => namedIn(others, mailServer) >= 4 * JOBS.length || undefined);
    expect(new Set(others.received.map(({ path }) => path))).toEqual(
      new Set(["/teams", "/alerts/api/v2/alerts", "/check/fail"]),
    );
    expect(namedIn(others, mailServer)).toBe(4 * JOBS.length);
  });

  describeWaits(() => ({ receivers, sentAt }));
  describeMail(() => receivers);
  describeMissingSecret(() => context);
  describeTraces(() => receivers);
}

/** How often the messages to these name one of the Jobs by its path. */
function namedIn({ received }: HookServer, mailServer: MailServer): number {
  const texts = [...received.map(({ body }) => body), ...mailServer.received.map(({ source }) => source)];
  return texts.reduce((sum, text) => sum + JOBS.filter((job) => text.includes(job)).length, 0);
}

interface Waited {
  readonly receivers: NotifiedReceivers;
  /** When the first segment was sent. */
  readonly sentAt: number;
}

function intervalOf(at: number): number {
  return Math.floor(at / (GROUP_SECONDS * 1000));
}

function describeWaits(of: () => Waited): void {
  // MiniStack ignores the batching window of a mapping. So whether both messages wake the function together is open.
  it("sends each message to Slack once, after the wait of a group, at an address from Secrets Manager", async () => {
    const { receivers, sentAt } = of();
    const { chat } = receivers;
    const timesNamed = (job: string) => chat.received.filter(({ body }) => body.includes(job)).length;
    await poll("Slack has both", async () => (JOBS.every((job) => timesNamed(job) > 0) ? true : undefined));
    expect(JOBS.map(timesNamed)).toEqual([1, 1]);
    expect(chat.received.length).toBeLessThanOrEqual(JOBS.length);
    // What begins in an interval is sent after its end.
    const first = Math.min(...chat.received.map(({ receivedAt }) => receivedAt));
    expect(intervalOf(first)).toBeGreaterThan(intervalOf(sentAt));
  });

  it("lets the second message to a receiver with a rate limit wait", () => {
    const { receivers } = of();
    const times = receivers.limited.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(new Set(receivers.limited.effects().keys())).toEqual(new Set(keys("limited")));
    expect(times).toHaveLength(JOBS.length);
    // Both times are whole seconds, rounded down.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(LIMITED_SECONDS - 1);
  });
}

function describeMail(of: () => NotifiedReceivers): void {
  it("sends an e-mail with its subject through a topic", async () => {
    const mails = (await of().mails()).toSorted((a, b) => (a.Subject < b.Subject ? -1 : 1));
    expect(mails.map(({ Subject }) => Subject)).toEqual(
      JOBS.map(
        (job) => expect.stringMatching(new RegExp(`^\\[Outlive\\] Failed: Job notified-eu/\\S+/${job}$`)) as string,
      ),
    );
    const text = /^Failed \(BackoffLimitExceeded\): .*\n\nJob notified-eu\//;
    for (const { Message } of mails) expect(Message).toMatch(text);
  });
}

function describeMissingSecret(of: () => NotifiedStack): void {
  it("says what waits for the receiver that fails, and which secret another one lacks", async () => {
    const { status, stdout } = await rulesStatus(of());
    expect(status).toBe(0);
    const delivered = { waiting: 0, delivered: JOBS.length, dead: 0 };
    const waiting = { waiting: JOBS.length, delivered: 0, dead: 0 };
    expect(JSON.parse(stdout)).toMatchObject({
      receivers: [
        { receiver: "alerts", ...delivered },
        { receiver: "broken", ...waiting, lastProblem: "status 503" },
        { receiver: "bus", ...delivered },
        { receiver: "chat", ...delivered },
        { receiver: "check", ...delivered },
        { receiver: "hook", ...delivered },
        { receiver: "late", ...waiting, lastProblem: expect.stringContaining(LATE_SECRET) as string },
        { receiver: "limited", ...delivered },
        { receiver: "mail", ...delivered },
        { receiver: "smtp", ...delivered },
        { receiver: "teams", ...delivered },
        { receiver: "topic", ...delivered },
        { receiver: "traces", dead: 0 },
      ],
    });
    expect(of().receivers.late.received).toEqual([]);
  });

  it("sends the messages of a receiver whose secret was added", async () => {
    const { receivers } = of();
    await receivers.storeLateSecret();
    const { received } = receivers.late;
    await poll("the late receiver has its messages", async () => (received.length >= JOBS.length ? true : undefined));
    expect(new Set(receivers.late.effects().keys())).toEqual(new Set(keys("late")));
    for (const message of received) {
      expect(message.headers["webhook-signature"]).toBe(`v1,${signatureOf(message, "late")}`);
    }
  });
}

function describeTraces(of: () => NotifiedReceivers): void {
  it("sends a trace of each Job a minute after its end", async () => {
    const { received } = of().collector;
    await poll("the collector has both traces", async () => (received.length >= JOBS.length ? true : undefined));
    expect(received).toHaveLength(JOBS.length);
    for (const job of JOBS) {
      const [body] = received.flatMap(({ body: one }) => (one.includes(job) ? [one] : []));
      expect(body).toContain('"name":"RUN Job"');
      expect(body).toContain('"name":"pod"');
    }
  });
}

function rulesStatus({ stack, tools }: NotifiedStack) {
  return tools.outlive(["rules", "status", "--stage", stack.stage, "-o", "json"]);
}

/** The signature of Standard Webhooks: a secret after `whsec_` is base64. */
function signatureOf({ headers, body }: ReceivedMessage, secret: string): string {
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  return createHmac("sha256", key).update(signed).digest("base64");
}
