import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readNotification } from "../../src/notify/notification.ts";
import { observeSubject, subjectId } from "../../src/notify/observe-subject.ts";
import { splitRule, tracedReceivers } from "../../src/notify/rules/trace-rules.ts";
import type { NotificationRules, Receiver } from "../../src/notify/rules/rules.ts";
import type { Subject } from "../../src/notify/subject.ts";
import { HOOK, rulesOf } from "../support/notify/notified-tracker.ts";
import { receiverOf } from "../support/notify/opened-receiver.ts";
import { SqliteOutbox } from "../support/notify/sqlite-outbox.ts";
import { failedJob, ruleOf, runningJob } from "../support/story/notified.ts";

let outbox: SqliteOutbox;
beforeEach(() => {
  outbox = new SqliteOutbox();
});
afterEach(() => outbox.close());

const waitingRule = ruleOf({ match: { states: [], findings: ["Waiting"] }, forMillis: 1_000, resolve: true });
const waiting = runningJob({ findings: [{ kind: "Waiting", message: "Unschedulable" }] });

async function observe(rules: NotificationRules, subject: Subject, now: number): Promise<number> {
  let added = 0;
  await outbox.change(subjectId(subject), async (notices) => {
    added = await observeSubject({ notices, rules }, { subject, now });
  });
  return added;
}

/** The messages that are due, with their kinds. */
async function due(now: number): Promise<readonly string[]> {
  const found = await outbox.due(now);
  return found.map(({ value }) => {
    const { kind, key } = readNotification(value);
    return `${kind} ${key}`;
  });
}

/** The keys of the messages that are due after a minute. */
async function keysOf(receiver: string): Promise<readonly string[]> {
  return (await outbox.due(60_000, receiver)).map(({ key }) => key);
}

describe("a condition that must hold", () => {
  it("sends nothing if it is over before", async () => {
    await observe(rulesOf([waitingRule]), waiting, 0);
    expect(await observe(rulesOf([waitingRule]), runningJob(), 999)).toBe(0);
    expect(await due(100_000)).toEqual([]);
  });

  it("sends its end if it was over afterwards", async () => {
    await observe(rulesOf([waitingRule]), waiting, 0);
    expect(await due(1_000)).toEqual(["opened u1/1/failures/hook"]);
    await outbox.change("prod-eu#Job#u1", (notices) =>
      notices.settle("u1/1/failures/hook", { outcome: "delivered" }, 1_000),
    );
    expect(await observe(rulesOf([waitingRule]), runningJob(), 2_000)).toBe(1);
    expect(await due(2_000)).toEqual(["resolved u1/2/failures/hook"]);
  });
});

describe("a message", () => {
  it("has the explanation as its first line, if there is one", async () => {
    await outbox.change("prod-eu#Job#u1", (notices) =>
      observeSubject(
        { notices, rules: rulesOf(), explain: async () => ({ headline: "Failed: explained." }) },
        { subject: failedJob(), now: 0 },
      ),
    );
    const [found] = await outbox.due(0);
    expect(readNotification(found?.value ?? "").headline).toBe("Failed: explained.");
  });

  it("goes to each receiver of its rule, grouped by rule and namespace, after the wait of the receiver", async () => {
    const other = { ...HOOK, name: "slack", group: { waitMillis: 30_000 } };
    const rules = rulesOf([ruleOf({ to: ["hook", "slack"] })], { receivers: [HOOK, other] });
    expect(await observe(rules, failedJob(), 0)).toBe(2);
    expect(await outbox.due(29_999, "slack")).toEqual([]);
    expect(await outbox.due(30_000, "slack")).toMatchObject([
      { key: "u1/1/failures/slack", group: "opened/failures/prod-eu/payments", subject: "prod-eu#Job#u1" },
    ]);
  });
});

describe("a rule that sends to the value of a key", () => {
  const KEY = "outlive.dev/notify";
  const receivers = ["hook", "team-a", "team-b"].map((name) => ({ ...HOOK, name }));
  const routed = (said = {}) => rulesOf([ruleOf({ toValueOf: KEY, resolve: true, ...said })], { receivers });
  const failed = (value: string) => failedJob({ labels: { [KEY]: value } });

  async function receiversOf(now: number): Promise<readonly string[]> {
    const found = await Promise.all(receivers.map(({ name }) => outbox.due(now, name)));
    return found.flat().map(({ key }) => key.split("/").slice(1).join("/"));
  }

  it.each([
    ["team-a", ["team-a"]],
    ["team-b, team-a", ["team-a", "team-b"]],
    ["team-a,unknown", ["team-a"]],
    ["unknown", ["hook"]],
    ["", ["hook"]],
  ])("sends a message about %j to %j", async (value, expected) => {
    await observe(routed(), failed(value), 0);
    expect(await receiversOf(0)).toEqual(expected.map((name) => `1/failures/${name}`));
  });

  it.each([{ team: "team-a" }, {}])("sends to its own receivers without the key: %j", async (labels) => {
    await observe(routed(), failedJob({ labels }), 0);
    expect(await receiversOf(0)).toEqual(["1/failures/hook"]);
    await outbox.change("prod-eu#Job#u2", (notices) =>
      observeSubject(
        { notices, rules: routed({ toValueOf: "constructor" }) },
        { subject: failedJob({ uid: "u2", labels }), now: 0 },
      ),
    );
    expect(await receiversOf(0)).toEqual(["1/failures/hook", "1/failures/hook"]);
  });

  it("sends the end to where the first message went, whatever the value and the rule are then", async () => {
    await observe(routed(), failed("team-a"), 0);
    await observe(routed(), failedJob({ labels: { [KEY]: "team-b" }, cause: "application" }), 1);
    await observe(rulesOf([ruleOf({ resolve: true })], { receivers }), runningJob(), 2);
    const keys = ["1/failures/team-a", "2/failures/team-a", "3/failures/team-a"];
    for (const key of keys) {
      expect(await receiversOf(2)).toEqual([key]);
      await outbox.change("prod-eu#Job#u1", (notices) => notices.settle(`u1/${key}`, { outcome: "delivered" }, 2));
    }
  });
});

describe("messages to a receiver that groups", () => {
  const slack: Receiver = { ...HOOK, name: "slack", group: { waitMillis: 30_000 } };
  const rules = rulesOf([ruleOf({ to: ["slack"] })], { receivers: [slack] });
  const failedAt = (uid: string, now: number) => observe(rules, failedJob({ uid }), now);

  it("are due together at the end of the interval in which they begin", async () => {
    await failedAt("u1", 5_000);
    await failedAt("u2", 25_000);
    await failedAt("u3", 30_000);
    expect(await outbox.due(29_999, "slack")).toEqual([]);
    expect(await outbox.due(30_000, "slack")).toMatchObject([
      { key: "u1/1/failures/slack" },
      { key: "u2/1/failures/slack" },
    ]);
    expect(await outbox.due(60_000, "slack")).toHaveLength(3);
  });

  it("wait for the interval after the time for which their condition must hold", async () => {
    const held = rulesOf([{ ...waitingRule, forMillis: 20_000, to: ["slack"] }], { receivers: [slack] });
    await observe(held, waiting, 15_000);
    expect(await outbox.due(59_999, "slack")).toEqual([]);
    expect(await outbox.due(60_000, "slack")).toHaveLength(1);
  });
});

describe("maintenance", () => {
  const rules = rulesOf([waitingRule, ruleOf({ name: "failed" })], { maintenance: [{ from: 0, to: 50_000 }] });

  it("holds the message about a condition until its end, and drops it if the condition is over then", async () => {
    await observe(rules, waiting, 10_000);
    expect(await due(49_999)).toEqual([]);
    expect(await due(50_000)).toEqual(["opened u1/1/failures/hook"]);
    await observe(rules, runningJob(), 20_000);
    expect(await due(60_000)).toEqual([]);
  });

  it("drops the message about an end that is final", async () => {
    expect(await observe(rules, failedJob(), 10_000)).toBe(0);
    expect(await due(60_000)).toEqual([]);
    expect((await outbox.status("prod-eu")).receivers).toMatchObject([{ suppressed: 1 }]);
  });
});

describe("a rule that sends messages and traces", () => {
  const otlp = { url: "http://collector:4318" };
  const receivers = [HOOK, ...["tempo", "team-a"].map((name) => receiverOf({ name, otlp }))];
  const both = ruleOf({ to: ["hook", "tempo"], toValueOf: "team" });
  const rules = rulesOf([...splitRule(both, tracedReceivers(receivers))], { receivers });

  it("sends each to the receivers of its kind, and explains only the message", async () => {
    const explained: Subject[] = [];
    const explain = async (subject: Subject) => {
      explained.push(subject);
      return undefined;
    };
    const complete = failedJob({ state: "Complete", trace: "whole" });
    const traces = rulesOf(
      [...splitRule(ruleOf({ to: ["tempo"], match: { states: [], findings: [] } }), new Set(["tempo"]))],
      {
        receivers,
      },
    );
    await outbox.change(subjectId(complete), (notices) =>
      observeSubject({ notices, rules: traces, explain }, { subject: complete, now: 0 }),
    );
    expect(await keysOf("tempo")).toEqual(["u1/1/failures.traces/tempo"]);
    expect(explained).toEqual([]);
  });

  it.each([
    ["other", ["u1/1/failures.traces/tempo"], []],
    ["team-a", [], ["u1/1/failures.traces/team-a"]],
  ])("lets the label %s choose among receivers of traces, and messages stay", async (team, tempo, teamA) => {
    await observe(rules, failedJob({ trace: "whole", labels: { team } }), 0);
    expect(await due(0)).toEqual(["opened u1/1/failures/hook"]);
    expect(await outbox.due(59_999, "tempo")).toEqual([]);
    expect(await keysOf("tempo")).toEqual(tempo);
    expect(await keysOf("team-a")).toEqual(teamA);
  });
});

describe("the identity of a subject", () => {
  it("contains its cluster and kind", () => {
    expect(subjectId(failedJob())).toBe("prod-eu#Job#u1");
  });
});
