import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HintFact } from "../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../src/job/model/order.ts";
import { sealHints, sealManyHints } from "../../src/log/seal-hints.ts";
import type { Sender } from "../../src/log/sender.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { clusterNamed } from "../support/facts/names.ts";

const east = clusterNamed("east");
const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const OPEN: Sender = { kind: "open" };
const REGISTERED: Sender = { kind: "registered", cluster: east, senderId: "AROAEXAMPLE:a" };
const AUDIT_LOGS: Sender = { kind: "auditLogs", clusters: new Set(["west"]), senderId: "AROAEXAMPLE:b" };
const UNREGISTERED: Sender = { kind: "unregistered" };

/** A request that deleted a Job, so long before noon. */
function hint(number: number, before = 0): HintFact {
  return {
    epoch: 0,
    resourceVersion: decodeResourceVersion("7") ?? expect.fail("7 is a version."),
    at: NOON - before,
    kind: "RequestHinted",
    hintId: `audit-${number}`,
    target: { kind: "Job", namespace: "night", name: `report-${number}` },
    verb: "delete",
    user: `system:serviceaccount:night:${"x".repeat(200)}-${number}`,
    code: 200,
    requestedAt: NOON - before,
  };
}

function segmentOf(bytes: Uint8Array | undefined) {
  const decoded = bytes === undefined ? expect.fail("There is no segment.") : decodeSegment(bytes);
  return decoded.outcome === "decoded" ? decoded.segment : expect.fail(decoded.reason);
}

describe("the segment of a message from another program", () => {
  it.each<[string, Sender, string | undefined, string | undefined]>([
    ["the sender's, whatever the message names", REGISTERED, "west", "east"],
    ["the sender's, if the message names none", REGISTERED, undefined, "east"],
    ["the named one in open mode", OPEN, "west", "west"],
    ["the named one for the function of audit logs", AUDIT_LOGS, "west", "west"],
    ["the named one for an unregistered sender, to be set aside with it", UNREGISTERED, "west", "west"],
    ["unknown without a name", OPEN, undefined, undefined],
    ["unknown with an invalid name", OPEN, "No Cluster!", undefined],
  ])("has the cluster that is %s", (_, sender, clusterName, cluster) => {
    const bytes = sealHints({ facts: [hint(1)], ...(clusterName !== undefined && { clusterName }) }, sender);
    expect(bytes && segmentOf(bytes).cluster).toBe(cluster);
  });

  it("is the same for the same hints, and dated by the latest of them", () => {
    const facts = [hint(1, 5_000), hint(2, 1_000), hint(3, 9_000)];
    expect(sealHints({ facts }, REGISTERED)).toEqual(sealHints({ facts }, REGISTERED));
    expect(segmentOf(sealHints({ facts }, REGISTERED)).sealedAt).toBe(NOON - 1_000);
    expect(sealHints({ facts: facts.slice(1) }, REGISTERED)).not.toEqual(sealHints({ facts }, REGISTERED));
  });

  it("does not exist without hints", () => {
    expect(sealHints({ facts: [] }, REGISTERED)).toBeUndefined();
    expect(sealManyHints([], { cluster: east, now: NOON })).toEqual([]);
  });
});

describe("the segments of many hints", () => {
  it("have each hint once, and are the same for the same hints", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), (count) => {
        const facts = Array.from({ length: count }, (_, number) => hint(number));
        const sealed = sealManyHints(facts, { cluster: east, now: NOON });
        const ids = sealed.flatMap((bytes) => segmentOf(bytes).facts.map((fact) => "hintId" in fact && fact.hintId));
        expect(new Set(ids)).toEqual(new Set(facts.map(({ hintId }) => hintId)));
        expect(ids).toHaveLength(count);
        expect(sealManyHints(facts, { cluster: east, now: NOON })).toEqual(sealed);
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ["when they happened", 60_000, NOON - 60_000],
    ["at the beginning of the day, if that is too long ago to be accepted", 400 * DAY, NOON - (NOON % DAY)],
  ])("are sealed %s", (_, before, sealedAt) => {
    const [bytes] = sealManyHints([hint(1, before)], { cluster: east, now: NOON });
    expect(segmentOf(bytes).sealedAt).toBe(sealedAt);
  });
});
