import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createMessageSender } from "../../src/host/runtime/message-sender.ts";
import { withTraces } from "../../src/notify/rules/trace-rules.ts";
import { traceIdOf } from "../../src/notify/traces/span-ids.ts";
import { type Jaeger, type JaegerSpan, skipWithoutJaeger, startJaeger } from "../support/notify/jaeger.ts";
import { openNotified, sendFacts, SetClock } from "../support/notify/notified-tracker.ts";
import { BERT, importedExample } from "../support/notify/recorded-runs.ts";
import { scratchFolder, serveOutlive } from "../support/running/run-outlive.ts";
import { restartedJobSet } from "../support/story/run-story.ts";

const skip = skipWithoutJaeger();
const PATIENCE = { timeout: 60_000, interval: 100 };
const folder = scratchFolder();
let jaeger: Jaeger;

/** How many spans have each name. */
function named(spans: readonly JaegerSpan[]): Readonly<Record<string, number>> {
  const names = spans.map(({ operationName }) => operationName);
  return Object.fromEntries(names.map((name) => [name, names.filter((other) => other === name).length]));
}

describe.skipIf(skip)("a trace in Jaeger", () => {
  beforeAll(async () => {
    jaeger = await startJaeger(folder.path);
  }, 60_000);

  afterAll(async () => {
    await jaeger.stop();
    await folder.remove();
  });

  it("is the same trace when it was sent twice", async () => {
    const { close, ...ports } = await importedExample("jobset-restarts.ndjson.gz");
    const send = createMessageSender({ traces: { open: async () => ports, now: Date.now } });
    const run = { ...BERT, cluster: "east" };
    const to = { url: `${jaeger.url}/v1/traces`, headers: { "content-type": "application/json" }, allowAddresses: [] };
    const id = traceIdOf("east", BERT.uid);
    const seen: (readonly JaegerSpan[])[] = [];
    for (const _ of ["once", "twice"]) {
      expect(await send({ kind: "trace", ...to, run, body: "" })).toMatchObject({ outcome: "accepted" });
      const count = await vi.waitFor(async () => {
        const spans = await jaeger.spansOf(id);
        expect(spans).not.toEqual([]);
        return spans;
      }, PATIENCE);
      seen.push(count);
    }
    close();
    expect(seen.map(named)).toEqual([
      { "RUN JobSet": 1, attempt: 2, "job node": 6, pod: 6, "container work": 6 },
      { "RUN JobSet": 1, attempt: 2, "job node": 6, pod: 6, "container work": 6 },
    ]);
  });

  it("is sent by outlive serve --otlp", async () => {
    const rules = withTraces({ rules: [], receivers: [], maintenance: [] }, { url: jaeger.url, environment: {} });
    if ("problem" in rules) throw new Error(rules.problem);
    // A tracker that was stopped before the trace was due.
    const tracker = openNotified(join(folder.path, "traced.sqlite"), rules, new SetClock());
    await sendFacts(tracker, restartedJobSet(), 1);
    tracker.close();
    const args = ["serve", "--database", "traced.sqlite", "--listen", "127.0.0.1:0", "--otlp", jaeger.url];
    const serving = await serveOutlive(args, { cwd: folder.path });
    const spans = await vi.waitFor(async () => {
      const some = await jaeger.spansOf(traceIdOf("east", "train-uid"));
      expect(some).not.toEqual([]);
      return some;
    }, PATIENCE);
    await serving.stop("SIGTERM");
    expect(named(spans)).toMatchObject({ "RUN JobSet": 1, attempt: 2, pod: 4 });
    const ids = new Set(spans.map(({ spanID }) => spanID));
    const roots = spans.filter(({ references }) => references.length === 0);
    expect(roots.map(({ operationName }) => operationName)).toEqual(["RUN JobSet"]);
    expect(spans.every(({ references }) => references.every(({ spanID }) => ids.has(spanID)))).toBe(true);
    expect(roots[0]?.tags).toContainEqual(expect.objectContaining({ key: "cicd.pipeline.result", value: "success" }));
  });
});
