import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { describe, expect, it } from "vitest";
import { otlpRequests } from "../../../src/notify/traces/otlp-requests.ts";
import { traceOf } from "../../../src/notify/traces/run-trace.ts";
import type { Span, Trace } from "../../../src/notify/traces/span.ts";
import { BERT, recordedTrace } from "../../support/notify/recorded-runs.ts";
import { attemptOf } from "../../support/story/listed-attempt.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

/** Nine Pods of a Job with one completion: Pod garbage collection deleted each before it was counted. */
const RENDER = {
  kind: "Job",
  namespace: "pod-gc-ate-success",
  name: "render-0018",
  uid: "906ba4b0-f589-4c47-9487-2bf56d8f5a0e",
};

const RECORDED = [
  ["a restarted JobSet", "jobset-restarts.ndjson.gz", BERT],
  ["a Job that ran nine times", "pod-gc-ate-success.ndjson.gz", RENDER],
] as const;

/** The names of spans with how deep they are. */
function outline({ spans }: Trace): readonly string[] {
  const depths = new Map<string | undefined, number>([[undefined, 0]]);
  return spans.map(({ spanId, parentSpanId, name }) => {
    const depth = depths.get(parentSpanId) ?? Number.NaN;
    depths.set(spanId, depth + 1);
    return `${depth} ${name}`;
  });
}

function namesIn({ resource, spans }: Trace): ReadonlySet<string> {
  const attributes = spans.flatMap((span) => [span.attributes, ...span.events.map((event) => event.attributes)]);
  return new Set([resource, ...attributes].flatMap((some) => Object.keys(some)));
}

/** Every text of a document. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe.each(RECORDED)("the trace of %s", (_, file, place) => {
  it("has each span once, behind its parent, and none that ends before it starts", async () => {
    const trace = await recordedTrace(file, place);
    const known = new Set<string | undefined>([undefined]);
    for (const { spanId, parentSpanId, startAt, endAt } of trace.spans) {
      expect(known.has(parentSpanId)).toBe(true);
      expect(known.has(spanId)).toBe(false);
      expect(endAt).toBeGreaterThanOrEqual(startAt);
      known.add(spanId);
    }
    expect(trace.spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
  });

  it("is the same bytes again", async () => {
    const [first, again] = [await recordedTrace(file, place), await recordedTrace(file, place)];
    expect(otlpRequests(again)).toEqual(otlpRequests(first));
  });

  it("has attributes of the conventions of OpenTelemetry, or of Outlive", async () => {
    const published = new Set<unknown>(Object.values(conventions));
    const names = [...namesIn(await recordedTrace(file, place))];
    expect(names.filter((name) => !published.has(name) && !name.startsWith("outlive."))).toEqual([]);
    expect(names.filter((name) => /^(k8s|cicd|service|error|process)\./.test(name)).length).toBeGreaterThan(10);
  });
});

describe("the trace of a restarted JobSet", () => {
  it("is its run, its attempts, their Jobs, Pods and containers, also those that were deleted", async () => {
    const trace = await recordedTrace("jobset-restarts.ndjson.gz", BERT);
    const lines = outline(trace);
    expect(lines.slice(0, 3)).toEqual(["0 RUN JobSet", "1 attempt", "1 attempt"]);
    const counts = Object.fromEntries(
      [...new Set(lines)].map((line) => [line, lines.filter((other) => other === line).length]),
    );
    expect(counts).toEqual({
      "0 RUN JobSet": 1,
      "1 attempt": 2,
      "2 job node": 6,
      "3 pod": 6,
      "4 container work": 6,
    });
    const [run, first, second_] = trace.spans;
    expect(run?.attributes).toMatchObject({ "cicd.pipeline.result": "success", "outlive.run.attempts": 2 });
    expect(first).toMatchObject({ error: "first failure: bert-node-2", attributes: { "error.type": "application" } });
    expect(second_?.error).toBeUndefined();
    const results = trace.spans.flatMap(({ attributes }) => attributes["cicd.pipeline.task.run.result"] ?? []);
    const counted = Object.fromEntries(
      results.map((result) => [result, results.filter((other) => other === result).length]),
    );
    expect(counted).toEqual({ cancellation: 2, failure: 1, success: 3 });
  });
});

describe("the trace of a Job that Kueue preempted", () => {
  it("has both of its Pods, and what its queue did as events", async () => {
    const uid = "4734119e-df8b-468f-aca8-c1a19032eb1c";
    const place = { kind: "Job", namespace: "kueue-quota", name: "digest", uid };
    const trace = await recordedTrace("kueue-quota.ndjson.gz", place);
    const events = trace.spans[0]?.events.filter(({ name }) => name.startsWith("outlive.queue")) ?? [];
    expect(events.map(({ name }) => name)).toEqual([
      "outlive.queue.wait",
      "outlive.queue.wait",
      "outlive.queue.admitted",
      "outlive.queue.admitted",
      "outlive.queue.evicted",
    ]);
    expect(events.at(-1)?.attributes).toMatchObject({ "outlive.queue.eviction.reason": "Preempted" });
    expect(outline(trace).filter((line) => line === "1 pod").length).toBeGreaterThan(1);
  });
});

describe("text from a cluster in a trace", () => {
  it("is on one line, short and without control characters", () => {
    const hostile = `a\u001b[31m\n${"x".repeat(500)}`;
    const verdict = { state: "Failed", reason: hostile, final: true, basis: "both" } as const;
    const container = { name: "work", exitCode: 1, reason: hostile, restartCount: 0 };
    const pods = [attemptOf(1, { outcome: "Failed", cause: hostile, reason: hostile, containers: [container] })];
    const finding = { kind: "LimitReached", message: hostile, evidence: [] } as const;
    const job = listedJob({ verdict, findings: [finding], externalIds: { "dagster/run-id": hostile } });
    const trace = traceOf({ jobs: [{ job, pods }], omitted: { jobs: 0, pods: 0 } });
    const texts = trace === undefined ? [] : otlpRequests(trace).flatMap((body) => textsIn(JSON.parse(body)));
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => text.length > 300 || /\p{Cc}/u.test(text))).toEqual([]);
  });
});

describe("the trace of a Job on its own", () => {
  it("has the Job as its run", async () => {
    const trace = await recordedTrace("pod-gc-ate-success.ndjson.gz", RENDER);
    expect(outline(trace).filter((line) => line === "1 pod")).toHaveLength(9);
    const [root] = trace.spans;
    expect(root).toMatchObject({ name: "RUN Job", kind: "server" });
    expect(root?.attributes).toMatchObject({
      "k8s.job.name": "render-0018",
      "cicd.pipeline.action.name": "RUN",
      "cicd.pipeline.result": "success",
    });
    expect(root?.events.map(({ attributes }) => attributes["outlive.finding.kind"])).toContain("ReRunAfterSuccess");
  });

  it("is named after its series, and says what it leaves out", () => {
    const owner = { apiVersion: "batch/v1", kind: "CronJob", name: "nightly", uid: "c1" };
    const pods = { seen: 5, succeeded: 5, failed: 0, active: 0, terminating: 0, unknown: 0 };
    const job = listedJob({ owner, scheduledAt: second(0), pods });
    const trace = traceOf({ jobs: [{ job, pods: [attemptOf(1)] }], omitted: { jobs: 0, pods: 4 } });
    expect(trace?.resource).toMatchObject({ "service.name": "nightly", "k8s.cronjob.name": "nightly" });
    expect(trace?.spans[0]).toMatchObject({
      name: "RUN nightly",
      attributes: { "outlive.omitted_pods": 4, "outlive.job.omitted_pods": 4 },
    });
  });

  it("has one status, an error", () => {
    const verdict = { state: "Failed", reason: "BackoffLimitExceeded", final: true, basis: "both" } as const;
    const trace = traceOf({ jobs: [{ job: listedJob({ verdict }), pods: [] }], omitted: { jobs: 0, pods: 0 } });
    const [root]: readonly (Span | undefined)[] = trace?.spans ?? [];
    expect(root).toMatchObject({ error: "BackoffLimitExceeded", attributes: { "cicd.pipeline.result": "failure" } });
  });

  it("does not exist without the Job", () => {
    expect(traceOf({ jobs: [], omitted: { jobs: 0, pods: 0 } })).toBeUndefined();
  });
});
