import { afterEach, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { outboxStatus } from "../../../src/notify/outbox/outbox-status.ts";
import type { NotificationRules } from "../../../src/notify/rules/rules.ts";
import { failingJob as failing } from "../../support/notify/failing-job.ts";
import { readLogLinks } from "../../../src/query/log-links/log-link-file.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { ruleOf } from "../../support/story/notified.ts";
import { delivered, openNotified, rulesOf, sendFacts, SetClock } from "../../support/notify/notified-tracker.ts";

async function* recorded() {
  yield* failing();
}

let open: Embedded | undefined;
let clock = new SetClock();
afterEach(() => open?.close());

function tracker(rules: NotificationRules = rulesOf()): Embedded {
  clock = new SetClock();
  open = openNotified(":memory:", rules, clock);
  return open;
}

async function sendAll(embedded: Embedded, events: readonly (readonly Fact[])[]): Promise<void> {
  for (const [sequence, facts] of events.entries()) await sendFacts(embedded, facts, sequence);
}

describe("a Job that fails", () => {
  it("is notified of once, with the cause in the first line", async () => {
    const embedded = tracker();
    await sendAll(embedded, failing());
    const sent = await delivered(embedded, clock);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ kind: "opened", key: "charge/1/failures/hook", subject: { name: "charge" } });
    expect(sent[0]?.headline).toMatch(/^Failed \(BackoffLimitExceeded\): .*exited with code 7/);
    expect(await delivered(embedded, clock)).toEqual([]);
  });

  it("has links to the logs of its Pods in the message", async () => {
    const links = readLogLinks("links: [{ name: Grafana, url: 'https://grafana.example.org/{pod}' }]");
    clock = new SetClock();
    const logLinks = links.outcome === "read" && { logLinks: links.content };
    open = openEmbedded(":memory:", { notify: { rules: rulesOf(), now: clock.read }, ...logLinks });
    await sendAll(open, failing());
    const [message] = await delivered(open, clock);
    expect(message?.logs).toMatchObject([{ name: "Grafana" }]);
    expect(message?.logs?.[0]?.url).toBe(`https://grafana.example.org/${message?.logs?.[0]?.pod}`);
  });

  it("is notified of once if its facts arrive again, also after the message", async () => {
    const embedded = tracker();
    const events = failing();
    await sendAll(embedded, [...events, ...events]);
    expect(await delivered(embedded, clock)).toHaveLength(1);
    for (const [index, facts] of events.entries()) await sendFacts(embedded, facts, 100 + index);
    expect(await delivered(embedded, clock)).toEqual([]);
  });

  it("is corrected by late facts, with a reference to the first message", async () => {
    const embedded = tracker();
    const [created = [], pod = [], finished = []] = failing();
    await sendFacts(embedded, finished, 0);
    await sendFacts(embedded, created, 1);
    expect(await delivered(embedded, clock)).toMatchObject([{ kind: "opened", key: "charge/1/failures/hook" }]);
    await sendFacts(embedded, pod, 2);
    const [correction, ...others] = await delivered(embedded, clock);
    expect(others).toEqual([]);
    expect(correction).toMatchObject({ kind: "changed", firstKey: "charge/1/failures/hook" });
    expect(correction?.key).not.toBe("charge/1/failures/hook");
    expect(correction?.headline).toContain("exited with code 7");
  });

  it("is notified of once in whatever order its facts arrive, for each version", async () => {
    const events = failing();
    for (const order of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 0, 1],
      [2, 1, 0],
      [0, 2, 1],
      [1, 2, 0],
    ]) {
      const embedded = tracker();
      for (const [sequence, index] of order.entries()) await sendFacts(embedded, events[index] ?? [], sequence);
      const keys = (await delivered(embedded, clock)).map(({ key }) => key);
      expect(keys.length).toBeGreaterThan(0);
      expect(new Set(keys).size).toBe(keys.length);
      embedded.close();
    }
    open = undefined;
  });

  it("is not notified of if it was imported, not even by a replay or a sweep afterwards", async () => {
    const embedded = tracker();
    await embedded.importFacts(recorded(), { cluster: clusterOf("east"), now: clock.now });
    await embedded.sweep({ now: clock.now, freshMillis: 0 });
    await embedded.replay();
    await embedded.sweep({ now: clock.now + 600_000, freshMillis: 0 });
    await embedded.watchSchedules();
    expect(await delivered(embedded, clock)).toEqual([]);
  });

  it("is not notified of again by a replay, nor by late facts after it", async () => {
    const embedded = tracker();
    const events = failing();
    await sendAll(embedded, events);
    expect(await delivered(embedded, clock)).toHaveLength(1);
    await embedded.replay();
    await sendFacts(embedded, events[2] ?? [], 50);
    await embedded.sweep({ now: clock.now, freshMillis: 0 });
    expect(await delivered(embedded, clock)).toEqual([]);
  });

  it("is not notified of by rules that were added afterwards", async () => {
    const embedded = tracker(rulesOf([]));
    await sendAll(embedded, failing());
    expect(await delivered(embedded, clock)).toEqual([]);
    expect((await outboxStatus(embedded.meta, 10)).receivers).toEqual([]);
  });
});

describe("a rule with `for`", () => {
  const held = rulesOf([ruleOf({ forMillis: 120_000 })]);

  it("sends when the condition has held for so long", async () => {
    const embedded = tracker(held);
    await sendAll(embedded, failing());
    expect(await delivered(embedded, clock)).toEqual([]);
    clock.now += 119_999;
    expect(await delivered(embedded, clock)).toEqual([]);
    clock.now += 1;
    expect(await delivered(embedded, clock)).toHaveLength(1);
  });

  it("sends what is known then, as the first message", async () => {
    const embedded = tracker(held);
    const [created = [], pod = [], finished = []] = failing();
    await sendFacts(embedded, finished, 0);
    await sendFacts(embedded, created, 1);
    await sendFacts(embedded, pod, 2);
    clock.now += 120_000;
    const sent = await delivered(embedded, clock);
    expect(sent).toMatchObject([{ kind: "opened", key: "charge/1/failures/hook", firstKey: "charge/1/failures/hook" }]);
    expect(sent[0]?.headline).toContain("exited with code 7");
  });

  it("sends although the clock was set back in between", async () => {
    const embedded = tracker(held);
    await sendAll(embedded, failing());
    clock.now -= 86_400_000;
    expect(await delivered(embedded, clock)).toHaveLength(1);
  });
});

describe("a Job that fails during maintenance", () => {
  it("is not notified of, and the message is counted as suppressed", async () => {
    clock = new SetClock();
    const embedded = tracker(rulesOf(undefined, { maintenance: [{ from: clock.now, to: clock.now + 3_600_000 }] }));
    await sendAll(embedded, failing());
    clock.now += 7_200_000;
    expect(await delivered(embedded, clock)).toEqual([]);
    const { receivers } = await outboxStatus(embedded.meta, 10);
    expect(receivers).toMatchObject([{ receiver: "hook", suppressed: 1, waiting: 0 }]);
  });
});
