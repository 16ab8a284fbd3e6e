import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Embedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { createMessageSender } from "../../../src/host/runtime/message-sender.ts";
import { deliverDue } from "../../../src/notify/outbox/deliver-due.ts";
import type { RECEIVER_KINDS } from "../../../src/notify/receivers/receiver-kinds.ts";
import type { Receiver } from "../../../src/notify/rules/rules.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { ACCEPT, type HookServer, type ReceivedMessage, startHookServer } from "../../support/notify/hook-server.ts";
import { type MailServer, startMailServer } from "../../support/notify/mail-server.ts";
import { openNotified, rulesOf, sendFacts, SetClock } from "../../support/notify/notified-tracker.ts";
import { receiverOf } from "../../support/notify/opened-receiver.ts";

let hook: HookServer;
let mail: MailServer;
beforeAll(async () => {
  hook = await startHookServer();
  mail = await startMailServer({});
});
afterAll(() => Promise.all([hook.close(), mail.close()]));

let embedded: Embedded;
let clock: SetClock;
const send = createMessageSender();

/** A tracker that has a message about a failed Job for a receiver. */
async function notified(form: object): Promise<Receiver> {
  const environment = { URL: hook.url, KEY: "r0ut1ng", MAIL: `smtp://127.0.0.1:${mail.port}` };
  const receiver = receiverOf({ name: "hook", ...form }, environment);
  embedded = openNotified(":memory:", rulesOf(undefined, { receivers: [receiver] }), clock);
  for (const [sequence, facts] of failingJob().entries()) await sendFacts(embedded, facts, sequence);
  return receiver;
}

function pass(receiver: Receiver) {
  return deliverDue({ ...embedded, now: clock.read, backOff: () => 1_000, send }, receiver);
}

beforeEach(() => {
  clock = new SetClock();
});
afterEach(() => embedded.close());

interface HttpKind {
  readonly kind: keyof typeof RECEIVER_KINDS;
  readonly form: object;
  /** By what the receiver recognises that a message is the same. */
  readonly identity: (message: ReceivedMessage) => unknown;
}

const bodyOf = ({ body }: ReceivedMessage): unknown => body;
const HTTP_KINDS: readonly HttpKind[] = [
  { kind: "webhook", form: { urlEnv: "URL" }, identity: ({ headers }) => headers["webhook-id"] },
  { kind: "slack", form: { urlEnv: "URL" }, identity: bodyOf },
  { kind: "teams", form: { urlEnv: "URL" }, identity: bodyOf },
  {
    kind: "pagerduty",
    form: { keyEnv: "KEY", url: "" },
    identity: ({ body }) => (JSON.parse(body) as { readonly dedup_key: string }).dedup_key,
  },
  {
    kind: "alertmanager",
    form: { urlEnv: "URL" },
    identity: ({ body }) => (JSON.parse(body) as readonly { readonly labels: object }[])[0]?.labels,
  },
  { kind: "heartbeat", form: { urlEnv: "URL" }, identity: bodyOf },
];

describe.each(HTTP_KINDS)("a receiver of the kind $kind", ({ kind, form, identity }) => {
  const open = () => notified({ [kind]: "url" in form ? { ...form, url: hook.url } : form });

  it("that answers 500 gets the same message again, until it accepts it, and then no more", async () => {
    const receiver = await open();
    const since = hook.received.length;
    hook.answerWith((response) => response.writeHead(500).end());
    expect(await pass(receiver)).toEqual({ outcome: "failing", problem: "status 500" });
    expect(await pass(receiver)).toEqual({ outcome: "idle" });
    clock.now += 1_000;
    expect(await pass(receiver)).toEqual({ outcome: "failing", problem: "status 500" });
    hook.answerWith(ACCEPT);
    clock.now += 1_000;
    expect(await pass(receiver)).toEqual({ outcome: "delivered" });
    clock.now += 86_400_000;
    expect(await pass(receiver)).toEqual({ outcome: "idle" });
    const identities = hook.received.slice(since).map(identity);
    expect(identities).toEqual([identities[0], identities[0], identities[0]]);
    expect(identities[0]).toBeTruthy();
  });

  it.each([400, 413, 422])("that answers %d gets the message once", async (status) => {
    const receiver = await open();
    const since = hook.received.length;
    hook.answerWith((response) => response.writeHead(status).end());
    await pass(receiver);
    clock.now += 86_400_000;
    expect(await pass(receiver)).toEqual({ outcome: "idle" });
    expect(hook.received.slice(since)).toHaveLength(1);
  });
});

const SMTP = { smtp: { urlEnv: "MAIL", from: "a@b.example", to: ["c@d.example"] } };

/** The identities of the e-mails that the server has received since then. */
function idsSince(since: number): readonly (string | undefined)[] {
  return mail.received.slice(since).map(({ source }) => /^message-id: (.*)$/im.exec(source)?.[1]);
}

describe("a mail server", () => {
  it("that replies 451 gets the same message again, until it accepts it, and then no more", async () => {
    const receiver = await notified(SMTP);
    const since = mail.received.length;
    mail.replyWith({ toMessage: [451, "Try again later."] });
    expect(await pass(receiver)).toEqual({ outcome: "failing", problem: "451 Try again later." });
    mail.replyWith({});
    clock.now += 1_000;
    expect(await pass(receiver)).toEqual({ outcome: "delivered" });
    clock.now += 86_400_000;
    expect(await pass(receiver)).toEqual({ outcome: "idle" });
    const [first, ...others] = idsSince(since);
    expect(first).toMatch(/^<[0-9a-f]{32}@b\.example>$/);
    expect(others).toEqual([first]);
  });

  it("that replies 550 gets the message once", async () => {
    const receiver = await notified(SMTP);
    const since = mail.received.length;
    mail.replyWith({ toMessage: [550, "Refused."] });
    await pass(receiver);
    mail.replyWith({});
    clock.now += 86_400_000;
    expect(await pass(receiver)).toEqual({ outcome: "idle" });
    expect(idsSince(since)).toHaveLength(1);
  });
});
