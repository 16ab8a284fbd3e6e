import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";
import {
  joinClusterObserved,
  joinCronJobFact,
  joinGap,
  joinHint,
  joinNamespaceFact,
  joinNodeFact,
} from "../../../src/job/model/cluster-fold.ts";
import { MAX_HINTS, MAX_NODE_STANDS } from "../../../src/job/model/cluster-context.ts";
import type {
  ClusterObserved,
  CronJobDeleted,
  CronJobObserved,
  EventHinted,
  GapRecorded,
  HintFact,
  NamespaceFact,
  NodeDeleted,
  NodeObserved,
  RequestHinted,
} from "../../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";

const small = fc.integer({ min: 1, max: 6 });
const resourceVersion = fc
  .integer({ min: 1, max: 9 })
  .map((value) => decodeResourceVersion(String(value)))
  .filter((value) => value !== undefined);
const stamp = { epoch: fc.nat(1), resourceVersion, at: small };

const nodeFact: fc.Arbitrary<NodeObserved | NodeDeleted> = fc.oneof(
  fc.record({
    kind: fc.constant("NodeObserved" as const),
    node: fc.constant("n1"),
    nodeUid: fc.constantFrom("u1", "u2"),
    ready: fc.constantFrom("True" as const, "False" as const),
    since: fc.nat(200),
    ...stamp,
  }),
  fc.record({
    kind: fc.constant("NodeObserved" as const),
    node: fc.constant("n1"),
    nodeUid: fc.integer({ min: 1, max: 30 }).map((uid) => `u${uid}`),
    ready: fc.constantFrom("True" as const, "False" as const),
    since: fc.nat(200),
    labels: fc.constantFrom({ "kubernetes.io/arch": "arm64" }, { "kubernetes.io/arch": "amd64" }),
    createdAt: small,
    ...stamp,
  }),
  fc.record({
    kind: fc.constant("NodeDeleted" as const),
    node: fc.constant("n1"),
    nodeUid: fc.integer({ min: 1, max: 30 }).map((uid) => `u${uid}`),
    ...stamp,
  }),
);
const cronJobFact: fc.Arbitrary<CronJobObserved | CronJobDeleted> = fc.oneof(
  fc.record({
    kind: fc.constant("CronJobObserved" as const),
    namespace: fc.constant("ns"),
    name: fc.constant("nightly"),
    cronJobUid: fc.constant("c1"),
    createdAt: small,
    generation: small,
    schedule: fc.constantFrom("0 1 * * *", "0 2 * * *"),
    suspend: fc.boolean(),
    concurrencyPolicy: fc.constant("Allow"),
    ...stamp,
  }),
  fc.record({
    kind: fc.constant("CronJobDeleted" as const),
    namespace: fc.constant("ns"),
    name: fc.constant("nightly"),
    cronJobUid: fc.constant("c1"),
    ...stamp,
  }),
);
const namespaceFact: fc.Arbitrary<NamespaceFact> = fc.oneof(
  fc.record({
    kind: fc.constant("NamespaceObserved" as const),
    namespace: fc.constant("ns"),
    namespaceUid: fc.constantFrom("u1", "u2"),
    marks: fc.record({ "outlive.dev/notify": fc.constantFrom("a", "b") }),
    ...stamp,
  }),
  fc.record({
    kind: fc.constant("NamespaceDeleted" as const),
    namespace: fc.constant("ns"),
    namespaceUid: fc.constantFrom("u1", "u2"),
    ...stamp,
  }),
);
const event: fc.Arbitrary<EventHinted> = fc.record({
  kind: fc.constant("EventHinted" as const),
  hintId: fc.integer({ min: 1, max: 60 }).map((id) => `e${id}`),
  target: fc.constant({ kind: "Pod" as const, namespace: "ns", name: "p" }),
  reason: fc.constantFrom("Killing", "Evicted"),
  count: small,
  firstAt: small,
  lastAt: small,
  ...stamp,
});
const request: fc.Arbitrary<RequestHinted> = fc.record({
  kind: fc.constant("RequestHinted" as const),
  hintId: fc.integer({ min: 1, max: 60 }).map((id) => `r${id}#ResponseComplete`),
  target: fc.constant({ kind: "Pod" as const, namespace: "ns", name: "p" }),
  verb: fc.constant("delete"),
  user: fc.constantFrom("drainer", "pod-garbage-collector"),
  code: fc.constant(200),
  requestedAt: small,
  ...stamp,
});
const hint: fc.Arbitrary<HintFact> = fc.oneof(event, request);
const gap: fc.Arbitrary<GapRecorded> = fc.record({
  kind: fc.constant("GapRecorded" as const),
  gapId: fc.constant("g1"),
  from: small,
  to: small,
  resources: fc.constant(["pods"]),
  reason: fc.constantFrom("410", "stopped"),
  ...stamp,
});
const clusterObserved: fc.Arbitrary<ClusterObserved> = fc.record({
  kind: fc.constant("ClusterObserved" as const),
  serverVersion: fc.constantFrom("v1.24.17", "v1.36.3"),
  ...stamp,
});

/** Facts folded in the order they stand, and in another with some of them twice, end in the same text. */
function expectSameInAnyOrder<F, R>(facts: fc.Arbitrary<F>, empty: R, join: (record: R, fact: F) => R): void {
  const orders = fc
    .array(facts, { maxLength: 150 })
    .chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.subarray(list)),
    );
  fc.assert(
    fc.property(orders, ([list, shuffled, again]) => {
      const there = list.reduce(join, empty);
      expect(canonical([...again, ...shuffled, ...again].reduce(join, empty))).toBe(canonical(there));
      expect(again.reduce(join, there)).toBe(there);
    }),
  );
}

function sampleOf<F>(arbitrary: fc.Arbitrary<F>): F {
  const [sample] = fc.sample(arbitrary, { numRuns: 1, seed: 1 });
  if (sample === undefined) throw new Error("fast-check gives as many samples as it is asked for.");
  return sample;
}

function isKind<F extends { readonly kind: string }, K extends F["kind"]>(kind: K) {
  return (fact: F): fact is Extract<F, { readonly kind: K }> => fact.kind === kind;
}

/** `length` facts that differ in their number. */
function numbered<F>(length: number, fact: F, differ: (number: number) => Partial<F>): readonly F[] {
  return Array.from({ length }, (_, number) => ({ ...fact, ...differ(number) }));
}

describe("the join of facts about a cluster", () => {
  it("gives the same record of a Node in any order and with duplicates", () => {
    expectSameInAnyOrder(nodeFact, { node: "n1", stands: [], deleted: [] }, joinNodeFact);
  });
  it("gives the same record of a CronJob in any order and with duplicates", () => {
    expectSameInAnyOrder(cronJobFact, { cronJobUid: "c1" }, joinCronJobFact);
  });
  it("gives the same record of a namespace in any order and with duplicates", () => {
    expectSameInAnyOrder(namespaceFact, { namespace: "ns" }, joinNamespaceFact);
  });
  it("gives the same set of hints in any order and with duplicates", () => {
    expectSameInAnyOrder(hint, { hints: [] }, joinHint);
  });
  it("gives the same gap in any order and with duplicates", () => {
    expectSameInAnyOrder(gap, { gap: undefined }, (held: { gap: GapRecorded | undefined }, seen) => {
      const joined = joinGap(held.gap, seen);
      return joined === held.gap ? held : { gap: joined };
    });
  });
  it("gives the same observation of the cluster in any order and with duplicates", () => {
    expectSameInAnyOrder(clusterObserved, { seen: undefined }, (held: { seen: ClusterObserved | undefined }, seen) => {
      const joined = joinClusterObserved(held.seen, seen);
      return joined === held.seen ? held : { seen: joined };
    });
  });

  it("keeps the first and the last request for an object, whatever the number of its Events", () => {
    const [one] = fc.sample(request, { numRuns: 1, seed: 1 });
    if (one === undefined) throw new Error("fast-check gives as many samples as it is asked for.");
    const requests = Array.from({ length: 100 }, (_, number) => ({
      ...one,
      hintId: `r${number}`,
      requestedAt: number,
    }));
    const events = fc.sample(event, { numRuns: 500, seed: 1 });
    const { hints } = [...events, ...requests, ...events].reduce(joinHint, { hints: [] });
    const kept = hints.filter(({ kind }) => kind === "RequestHinted").map(({ hintId }) => hintId);
    expect(kept).toEqual([...requests.slice(0, 16), ...requests.slice(-16)].map(({ hintId }) => hintId));
  });

  it("keeps 32 requests for an object", () => {
    const requests = numbered(33, sampleOf(request), (requestedAt) => ({ requestedAt, hintId: `r${requestedAt}` }));
    expect(requests.reduce(joinHint, { hints: [] }).hints).toHaveLength(32);
  });

  it("keeps the latest 16 generations of a CronJob", () => {
    const seen = sampleOf(cronJobFact.filter(isKind("CronJobObserved")));
    const observed = numbered(17, seen, (generation) => ({ generation }));
    const { specs = [] } = observed.reduce(joinCronJobFact, { cronJobUid: "c1" });
    expect(specs).toEqual(observed.slice(1));
  });

  it("keeps the latest 64 Ready states and 16 deletions of a Node", () => {
    const empty = { node: "n1", stands: [], deleted: [] };
    const { labels: _, createdAt: __, ...seen } = sampleOf(nodeFact.filter(isKind("NodeObserved")));
    const states = numbered<NodeObserved>(65, seen, (since) => ({ since }));
    expect(states.reduce(joinNodeFact, empty).stands).toEqual(states.slice(1));
    const deletion = sampleOf(nodeFact.filter(isKind("NodeDeleted")));
    const deletions = numbered(17, deletion, (number) => ({ nodeUid: `u${number}` }));
    expect(deletions.reduce(joinNodeFact, empty).deleted).toHaveLength(16);
  });

  it("keeps the labels of a Node once for each object and set of labels, not with each Ready state", () => {
    const empty = { node: "n1", stands: [], deleted: [] };
    const seen = { ...sampleOf(nodeFact.filter(isKind("NodeObserved"))), labels: { "kubernetes.io/arch": "arm64" } };
    const states = numbered(3, seen, (since) => ({ since, createdAt: 1 }));
    const { stands, labelled } = states.reduce(joinNodeFact, empty);
    expect([stands.length, stands.filter(({ labels }) => labels).length, labelled?.length]).toEqual([3, 0, 1]);
    const objects = numbered(17, seen, (createdAt) => ({ createdAt, nodeUid: `u${createdAt}` }));
    expect(objects.reduce(joinNodeFact, empty).labelled).toEqual(objects.slice(1));
  });

  it("keeps a bounded number of hints and of Ready states of a Node", () => {
    const facts = fc.sample(hint, { numRuns: 500, seed: 1 });
    expect(facts.reduce(joinHint, { hints: [] }).hints).toHaveLength(2 * MAX_HINTS);
    const stands = fc.sample(nodeFact, { numRuns: 1_000, seed: 1 });
    const { stands: kept } = stands.reduce(joinNodeFact, { node: "n1", stands: [], deleted: [] });
    expect(kept).toHaveLength(MAX_NODE_STANDS);
  });
});
