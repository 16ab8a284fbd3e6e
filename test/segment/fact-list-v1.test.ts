import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../src/job/model/canonical.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { decodeFacts } from "../../src/segment/fact-list.ts";
import { wrap } from "../../src/segment/envelope.ts";
import { readFactList, writeFactList } from "../../src/segment/fact-list-v1.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { arbitraryFact, arbitraryFactOfKind } from "../support/facts/arbitrary-facts.ts";
import { clusterNamed } from "../support/facts/names.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import fixture from "./schema-1.fixture.json" with { type: "json" };

describe("a list of facts", () => {
  it("is read as it was written, each fact once", () => {
    fc.assert(
      fc.property(fc.array(arbitraryFact, { maxLength: 40 }), (facts) => {
        const { text, factCount } = writeFactList([...facts, ...facts.slice(0, 3)]);
        const read = readFactList(JSON.parse(text));
        const expected = new Set(facts.map(canonical));
        expect(new Set(read.map(canonical))).toEqual(expected);
        expect([factCount, read.length]).toEqual([expected.size, expected.size]);
      }),
    );
  });

  it.each(Object.entries(arbitraryFactOfKind))("has the oldest schema with the fields of a %s", (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (fact) => {
        const oldest = oldestSchemaOf(fact.kind, fieldsOf(fact));
        const expected = hasImages(fact) ? 11 : isOfNewPods(fact) ? 10 : Math.max(isAboutRun(fact) ? 8 : 1, oldest);
        expect(writeFactList([fact]).schema).toBe(expected);
      }),
    );
  });
});

function isAboutRun(fact: Fact): boolean {
  return "target" in fact && fact.target.kind === "JobSet";
}

function hasImages(fact: Fact): boolean {
  return ["images", "imageDigest"].some((field) => field in fact);
}

/** Fields and words of Pods of Kubernetes 1.34 and later. */
function isOfNewPods(fact: Fact): boolean {
  const fields = fieldsOf(fact);
  const text = JSON.stringify(fact);
  const isNew = ["restartable", "podGroup", "unhealthy", "podMemoryLimit"].some((field) => fields.has(field));
  return isNew || text.includes('"about":"preemptor"') || text.includes('"cause":"podGroup');
}

/** Fields that are new in facts of one kind only. */
const NEW_IN_KIND = [
  { kind: "JobSpecified", field: "resources", schema: 10 },
  { kind: "NodeObserved", field: "labels", schema: 10 },
  { kind: "NodeObserved", field: "createdAt", schema: 10 },
  { kind: "NodeObserved", field: "lifecycle", schema: 10 },
  { kind: "ClusterObserved", field: "undated", schema: 10 },
  { kind: "CronJobObserved", field: "marks", schema: 9 },
];

function oldestSchemaOf(kind: string, fields: ReadonlySet<string>): number {
  const added = NEW_IN_KIND.find((one) => one.kind === kind && fields.has(one.field));
  if (added !== undefined) return added.schema;
  if (kind.startsWith("Namespace") || kind === "EvictionObserved") return 10;
  const ofUsage = ["accepted", "acceptedAt", "waitingAgain"];
  if (kind === "PodReserved" || ofUsage.some((field) => fields.has(field))) return 8;
  if (fields.has("runUid")) return 7;
  if (fields.has("marks") || fields.has("apiVersion")) return 6;
  if (fields.has("manual")) return 4;
  if (fields.has("queueName")) return 3;
  return ["details", "unscheduled", "memoryLimit"].some((field) => fields.has(field)) ? 2 : 1;
}

/** The names of the fields of a fact and of the objects in it. */
function fieldsOf(value: unknown): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return new Set();
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return new Set([...own, ...Object.values(value).flatMap((item) => [...fieldsOf(item)])]);
}

// The first build with schema 1 wrote the fixture, which contains facts of every kind. It never changes, because logs
// contain such segments.
describe("bytes that the first build wrote", () => {
  it.each(["brotli", "deflate"] as const)("are still decoded: a segment compressed with %s", (codec) => {
    expect(decodeSegment(Buffer.from(fixture[codec], "base64"))).toEqual({
      outcome: "decoded",
      segment: fixture.segment,
      sha256: fixture.sha256,
    });
  });

  it("are still decoded: a list of facts", () => {
    expect(decodeFacts(Buffer.from(fixture.facts, "base64"))).toEqual({
      outcome: "decoded",
      facts: fixture.segment.facts,
    });
  });

  it("are the same as today for facts without message details, so that earlier builds can read them", () => {
    const decoded = decodeSegment(Buffer.from(fixture.deflate, "base64"));
    if (decoded.outcome === "rejected") throw new Error(decoded.reason);
    const sealed = sealSegment({ ...decoded.segment, cluster: clusterNamed("east") });
    expect(sealed.sha256).toBe(fixture.sha256);
  });
});

const uid = Buffer.from("1c0a8c706c5b4a529a0e000000000001", "hex").toString("base64url");

describe("a list of facts that no build wrote", () => {
  it("are rejected where a column repeats without end", () => {
    const list = [[{ kind: "PodTracked" }], "#".repeat(4_100_000), [0, "A".repeat(22)]];
    expect(decodeFacts(wrap(JSON.stringify([1, list])).bytes)).toMatchObject({ outcome: "rejected" });
  });

  it.each<[string, unknown]>([
    ["an unknown kind", [[{ kind: "PodDanced" }], "&'", [0, 1, 0]]],
    ["a field of another kind", [[{ kind: "JobTracked", mood: "good" }], "#&'", [0, 0, uid, 0, 1, 0]]],
    ["a field of another type", [[{ kind: "JobVanished", at: "noon" }], "#&'", [0, 0, uid, "", 1, 0]]],
    ["a Pod without a Job", [[], "$", [0, 0, uid]]],
    [
      "a Pod fact among the facts of a Job, after the same fact was valid for a Pod",
      [[{ kind: "PodTracked" }], "#$&'#'", [1, 0, " one two", 1, 0, " one-a", 0, 101, 1767225600]],
    ],
    ["a Job fact among the facts of the cluster", [[{ kind: "JobTracked" }], "%&'", [0, 1, 0]]],
    ["an invalid resourceVersion", [[{ kind: "JobTracked" }], "#&'", [0, 0, uid, 0, 0, 0]]],
    ["a missing template", [[], "#&'", [0, 0, uid, 0, 1, 0]]],
    ["a surplus column", [[{ kind: "JobTracked" }], "#&'", [0, 0, uid, 0, 1, 0, 5]]],
    ["a column that is too short", [[{ kind: "JobTracked" }], "#&'#&'", [0, 0, uid, 0, 1, 0]]],
    ["no columns", [[], ""]],
  ])("are rejected where they contain %s", (_, list) => {
    expect(decodeFacts(wrap(JSON.stringify([1, list])).bytes)).toMatchObject({
      outcome: "rejected",
      problem: "damaged",
    });
  });

  it("are decoded where such a list is valid", () => {
    const list = [[{ kind: "JobTracked" }], "#&'", [0, 0, uid, 0, 1, 0]];
    expect(decodeFacts(wrap(JSON.stringify([1, list])).bytes)).toMatchObject({
      facts: [
        { kind: "JobTracked", jobUid: "1c0a8c70-6c5b-4a52-9a0e-000000000001", epoch: 0, resourceVersion: 1, at: 0 },
      ],
    });
  });
});
