import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentSession } from "../../src/log/content-session.ts";
import { decodeSegmentKey, isSealedOnArrival, keyIn, sealedAtOf, segmentKey } from "../../src/segment/segment-key.ts";
import { clusterNamed } from "../support/facts/names.ts";

const east = clusterNamed("east.eu-1");
const name = fc.record({
  cluster: fc.constantFrom(east, clusterNamed("e")),
  sealedAt: fc.integer({ min: 0, max: 253_402_300_799_999 }),
  session: fc.string({ unit: fc.constantFrom("0", "1", "9", "a", "f", "z"), minLength: 16, maxLength: 16 }),
  sequence: fc.oneof(fc.nat({ max: 20 }), fc.constant(9_999_999_999)),
});

describe("the key of a segment", () => {
  it("consists of the cluster and UTC day, then time, session and sequence", () => {
    const sealedAt = Date.UTC(2026, 10, 21, 23, 59, 59, 7);
    expect(segmentKey({ cluster: east, sealedAt, session: "00c0ffee00c0ffee", sequence: 42 })).toEqual({
      pk: "east.eu-1#20261121",
      sk: "2026-11-21T23:59:59.007Z#00c0ffee00c0ffee#0000000042",
    });
  });

  it("follows from the cluster and the sort key, which starts with the instant", () => {
    fc.assert(
      fc.property(name, (name) => {
        const key = segmentKey(name);
        expect(keyIn(name.cluster, key.sk)).toEqual(key);
        expect(sealedAtOf(key.sk)).toBe(name.sealedAt);
      }),
    );
  });

  it("decodes to its parts", () => {
    fc.assert(
      fc.property(name, (name) => {
        expect(decodeSegmentKey(segmentKey(name))).toEqual(name);
      }),
    );
  });

  it("sorts as text by day and time, then session, then sequence", () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        const [first, second] = [
          { ...a, cluster: east },
          { ...b, cluster: east },
        ].map(segmentKey);
        const byText = Math.sign(compare(`${first?.pk} ${first?.sk}`, `${second?.pk} ${second?.sk}`));
        const byParts = a.sealedAt - b.sealedAt || compare(a.session, b.session) || a.sequence - b.sequence;
        expect(byText).toBe(Math.sign(byParts));
      }),
    );
  });

  it.each([
    ["another day", "east#20261122", "2026-11-21T23:59:59.007Z#00c0ffee00c0ffee#0000000042"],
    ["no cluster", "#20261121", "2026-11-21T23:59:59.007Z#00c0ffee00c0ffee#0000000042"],
    ["a sequence that is not padded", "east#20261121", "2026-11-21T23:59:59.007Z#00c0ffee00c0ffee#42"],
    ["a time without milliseconds", "east#20261121", "2026-11-21T23:59:59Z#00c0ffee00c0ffee#0000000042"],
    ["a session that is none", "east#20261121", "2026-11-21T23:59:59.007Z#00C0FFEE00C0FFEE#0000000042"],
    ["a time that is none", "east#20261121", "soon#00c0ffee00c0ffee#0000000042"],
    ["a sequence that is no number", "east#20261121", "2026-11-21T23:59:59.007Z#00c0ffee00c0ffee#000000000x"],
    ["a cluster that is none", "a b#20261121", "2026-11-21T23:59:59.007Z#00c0ffee00c0ffee#0000000042"],
    ["a part too few", "east#20261121", "2026-11-21T23:59:59.007Z#00c0ffee00c0ffee"],
  ])("is invalid with %s", (_, pk, sk) => expect(decodeSegmentKey({ pk, sk })).toBeUndefined());
});

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

describe("a segment that was sealed when its facts arrived", () => {
  it.each([
    ["an exporter names its cluster's kube-system", { session: "0123456789abcdef", kubeSystemUid: "uid-1" }, true],
    ["an import with arrival times begins its session with t", { session: "t123456789abcdef" }, true],
    ["other imports have hexadecimal sessions", { session: "f123456789abcdef" }, false],
  ])("is recognised: %s", (_, segment, expected) => {
    expect(isSealedOnArrival(segment)).toBe(expected);
  });

  it("is named after its facts", () => {
    expect(contentSession([], { onArrival: true })).toBe(`t${contentSession([]).slice(1)}`);
    expect(contentSession([])).toMatch(/^[0-9a-f]{16}$/);
  });
});
