import { afterEach, describe, expect, it } from "vitest";
import type { Embedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { deliverDue } from "../../../src/notify/outbox/deliver-due.ts";
import { outboxStatus } from "../../../src/notify/outbox/outbox-status.ts";
import { withTraces } from "../../../src/notify/rules/trace-rules.ts";
import type { NotificationRules } from "../../../src/notify/rules/rules.ts";
import { createTraceSender } from "../../../src/notify/traces/send-trace.ts";
import type { OutgoingMessage, SendResult } from "../../../src/ports/message-sender.ts";
import { liveStores } from "../../../src/projection/live-projection.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { openNotified, sendFacts, SetClock } from "../../support/notify/notified-tracker.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { restartedJobSet } from "../../support/story/run-story.ts";

const NO_RULES: NotificationRules = { rules: [], receivers: [], maintenance: [] };
const ACCEPTED: SendResult = { outcome: "accepted", status: 200, answer: "{}" };

function tracing(said: Partial<NotificationRules> = {}): NotificationRules {
  const rules = withTraces({ ...NO_RULES, ...said }, { url: "http://collector:4318", environment: {} });
  if ("problem" in rules) throw new Error(rules.problem);
  return rules;
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
}

function spansIn(body: string): SentSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

/** A tracker that sends traces by its clock, and the spans of each trace that it sent. */
class Tracing {
  readonly clock = new SetClock();
  readonly rules: NotificationRules;
  readonly embedded: Embedded;
  answer: SendResult = ACCEPTED;
  #sequence = 0;

  constructor(rules = tracing()) {
    this.rules = rules;
    this.embedded = openNotified(":memory:", rules, this.clock);
  }

  async receive(facts: readonly Fact[]): Promise<void> {
    await sendFacts(this.embedded, facts, (this.#sequence += 1));
  }

  /** Delivers what is due after so many seconds. */
  async sentAfter(seconds: number): Promise<readonly (readonly SentSpan[])[]> {
    this.clock.now += seconds * 1_000;
    const { log, meta, projections } = this.embedded;
    const sent: SentSpan[][] = [];
    const send = createTraceSender({
      open: async () => ({ log, meta, ...(await liveStores(projections, meta)) }),
      post: async ({ body }) => {
        sent.push(spansIn(body));
        return this.answer;
      },
      now: this.clock.read,
    });
    const ports = {
      ...this.embedded,
      now: this.clock.read,
      backOff: () => 1_000,
      send: async (message: OutgoingMessage) => {
        if (message.kind !== "trace") throw new Error(message.kind);
        return send(message);
      },
    };
    for (const receiver of this.rules.receivers) while ((await deliverDue(ports, receiver)).outcome === "delivered");
    return sent;
  }
}

let open: Tracing | undefined;
function begin(rules?: NotificationRules): Tracing {
  open = new Tracing(rules);
  return open;
}
afterEach(() => open?.embedded.close());

describe("the trace of a Job", () => {
  it("is sent once, a minute after its end", async () => {
    const tracker = begin();
    const [created = [], failed = [], finished = []] = failingJob();
    await tracker.receive(created);
    await tracker.receive(failed);
    expect(await tracker.sentAfter(3_600)).toEqual([]);
    await tracker.receive(finished);
    expect(await tracker.sentAfter(59)).toEqual([]);
    const [trace = [], ...others] = await tracker.sentAfter(1);
    expect(others).toEqual([]);
    expect(trace.map(({ name }) => name)).toEqual(["RUN Job", "pod", "container work"]);
    await tracker.receive(finished);
    expect(await tracker.sentAfter(3_600)).toEqual([]);
  });

  it("is sent again with the same ids if a late fact corrects it", async () => {
    const tracker = begin();
    const [created = [], failed = [], finished = []] = failingJob();
    await tracker.receive([...created, ...finished]);
    const [first = []] = await tracker.sentAfter(60);
    expect(first.map(({ name }) => name)).toEqual(["RUN Job"]);
    await tracker.receive(failed);
    const [corrected = [], ...others] = await tracker.sentAfter(60);
    expect(others).toEqual([]);
    expect(corrected.map(({ name }) => name)).toEqual(["RUN Job", "pod", "container work"]);
    expect(corrected[0]).toMatchObject({ traceId: first[0]?.traceId, spanId: first[0]?.spanId });
  });

  it("is sent in a maintenance interval, because it alerts no one", async () => {
    const tracker = begin(tracing({ maintenance: [{ from: 0, to: Date.parse("2100-01-01T00:00:00Z") }] }));
    await tracker.receive(failingJob().flat());
    expect(await tracker.sentAfter(60)).toHaveLength(1);
  });

  it("of which a part was rejected is given up, and its reason is in the status of its receiver", async () => {
    const tracker = begin();
    tracker.answer = { ...ACCEPTED, answer: '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}' };
    await tracker.receive(failingJob().flat());
    expect(await tracker.sentAfter(60)).toHaveLength(1);
    const { receivers, dead } = await outboxStatus(tracker.embedded.meta, 5);
    expect(receivers).toMatchObject([{ receiver: "--otlp", dead: 1, lastProblem: "1 spans were rejected: too old" }]);
    expect(dead).toHaveLength(1);
  });
});

describe("the trace of a JobSet", () => {
  it("is one for all of its Jobs", async () => {
    const tracker = begin();
    await tracker.receive(restartedJobSet());
    const traces = await tracker.sentAfter(60);
    expect(traces).toHaveLength(1);
    const names = traces[0]?.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name === "attempt")).toHaveLength(2);
    expect(names.filter((name) => name.startsWith("job"))).toHaveLength(4);
  });
});

describe("traces", () => {
  it("are not sent of what is replayed", async () => {
    const tracker = begin();
    await tracker.receive(failingJob().flat());
    expect(await tracker.sentAfter(60)).toHaveLength(1);
    await tracker.embedded.replay();
    expect(await tracker.sentAfter(3_600)).toEqual([]);
  });

  it("are not sent of what is imported", async () => {
    const tracker = begin();
    const facts = (async function* () {
      yield failingJob().flat();
    })();
    await tracker.embedded.importFacts(facts, { cluster: clusterOf("east"), now: tracker.clock.now });
    expect(await tracker.sentAfter(3_600)).toEqual([]);
  });
});
