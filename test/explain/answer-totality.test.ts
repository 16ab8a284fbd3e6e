import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldJobs } from "../../src/job/model/job-record.ts";
import { answerRecord } from "../../src/explain/present-job.ts";
import { parseInstant } from "../../src/job/model/instant.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";

/** Values that a field of a well-meant object should not have, beside those it should. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, -1, 0, 1, 2, 2 ** 31, 2 ** 60, "", "0", "-3", "x", "0-2,9,foo", true, [], {}),
  fc.integer(),
  fc.string(),
);
const oddTime = fc.constantFrom<unknown>(
  "1931-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "2026-01-01T00:00:00Z",
  "soon",
  0,
);
const condition = fc.record(
  {
    type: fc.constantFrom("Complete", "Failed", "FailureTarget", "SuccessCriteriaMet", "Suspended", "Odd"),
    status: fc.constantFrom("True", "False", "Unknown", ""),
    reason: odd,
    lastTransitionTime: oddTime,
  },
  { requiredKeys: ["type", "status"] },
);
const rule = fc.record(
  {
    action: fc.constantFrom("FailJob", "FailIndex", "Ignore", "Count", "Explode"),
    onExitCodes: fc.record({ operator: fc.constantFrom("In", "NotIn", "Near"), values: fc.array(odd) }),
    onPodConditions: fc.array(condition),
  },
  { requiredKeys: ["action"] },
);
const job = fc.record({
  spec: fc.record(
    {
      completions: odd,
      parallelism: odd,
      completionMode: fc.constantFrom<unknown>("Indexed", "NonIndexed", "Other", 7),
      backoffLimit: odd,
      backoffLimitPerIndex: odd,
      maxFailedIndexes: odd,
      activeDeadlineSeconds: odd,
      suspend: odd,
      podReplacementPolicy: odd,
      podFailurePolicy: fc.record({ rules: fc.array(rule, { maxLength: 3 }) }),
      successPolicy: fc.record({ rules: fc.array(fc.record({ succeededIndexes: odd, succeededCount: odd })) }),
    },
    { requiredKeys: [] },
  ),
  status: fc.record(
    {
      succeeded: odd,
      failed: odd,
      active: odd,
      completedIndexes: odd,
      failedIndexes: odd,
      startTime: oddTime,
      conditions: fc.array(condition, { maxLength: 4 }),
      uncountedTerminatedPods: fc.record({ succeeded: fc.array(odd), failed: fc.constant(["pod-0", "pod-1"]) }),
    },
    { requiredKeys: [] },
  ),
});
const pod = fc.record({
  index: odd,
  failureCount: odd,
  finalizer: fc.boolean(),
  deletionTimestamp: fc.option(oddTime),
  phase: fc.constantFrom<unknown>("Pending", "Running", "Succeeded", "Failed", "Lost", null),
  exitCode: odd,
});
const events = fc.array(
  fc.oneof(
    job.map((value) => ({ kind: "Job" as const, value })),
    fc.tuple(fc.nat({ max: 2 }), pod).map(([name, value]) => ({ kind: "Pod" as const, name, value })),
  ),
  { maxLength: 12 },
);

describe("an answer", () => {
  it("exists for any input", () => {
    fc.assert(
      fc.property(events, fc.constantFrom("ADDED", "MODIFIED", "DELETED"), (seen, last) => {
        const watched = seen.map((event, at) => watchEvent(event, at, at === seen.length - 1 ? last : "MODIFIED"));
        const facts = watched.flatMap((event) => {
          const translated = translate(event);
          return translated.outcome === "translated" ? translated.facts : [];
        });
        for (const record of foldJobs(facts).values()) {
          const clusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };
          const now = parseInstant("2026-01-02T00:00:00Z") ?? 0;
          const answer = answerRecord(record, { cluster: "odd", clusterContext, now, attempts: true });
          const { seen: all, ...came } = answer.pods;
          expect(Object.values(came).reduce((sum, count) => sum + count, 0)).toBe(all);
          expect(answer.status.ready ?? 0).toBeGreaterThanOrEqual(0);
          expect(answer.status.failed ?? 0).toBeGreaterThanOrEqual(0);
          expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

type Seen =
  | { readonly kind: "Job"; readonly value: { readonly spec: object; readonly status: object } }
  | {
      readonly kind: "Pod";
      readonly name: number;
      readonly value: {
        readonly index: unknown;
        readonly failureCount: unknown;
        readonly finalizer: boolean;
        readonly deletionTimestamp: unknown;
        readonly phase: unknown;
        readonly exitCode: unknown;
      };
    };

function watchEvent(event: Seen, at: number, type: string): unknown {
  const metadata = {
    namespace: "odd",
    name: "odd",
    uid: "job-0",
    resourceVersion: String(at + 1),
    generation: (at * 7) % 5,
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
  if (event.kind === "Job") {
    const { spec, status } = event.value;
    return { type, object: { apiVersion: "batch/v1", kind: "Job", metadata, spec: { template: {}, ...spec }, status } };
  }
  const { index, failureCount, finalizer, deletionTimestamp, phase, exitCode } = event.value;
  return {
    type,
    object: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        ...metadata,
        name: `pod-${event.name}`,
        uid: `pod-${event.name}`,
        finalizers: finalizer ? ["batch.kubernetes.io/job-tracking"] : [],
        ...(deletionTimestamp !== null && { deletionTimestamp, deletionGracePeriodSeconds: 30 }),
        annotations: {
          "batch.kubernetes.io/job-completion-index": index,
          "batch.kubernetes.io/job-index-failure-count": failureCount,
        },
        ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "odd", uid: "job-0", controller: true }],
      },
      spec: { containers: [{ name: "work" }] },
      status: {
        phase,
        containerStatuses: [{ name: "work", restartCount: exitCode, state: { terminated: { exitCode } } }],
      },
    },
  };
}
