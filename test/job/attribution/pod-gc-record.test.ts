import { describe, expect, it } from "vitest";
import {
  sweepsAround,
  sweepsId,
  SWEEPS_REASON,
  sweepsTarget,
  sweepsTargetsAround,
} from "../../../src/job/attribution/pod-gc-record.ts";
import { hintKey } from "../../../src/job/model/cluster-context.ts";
import type { EventHinted } from "../../../src/job/model/fact.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";

function instant(text: string): number {
  const at = parseInstant(text);
  if (at === undefined) throw new Error(`${text} is no instant.`);
  return at;
}

const from = instant("2026-01-01T08:10:00Z");
const to = instant("2026-01-01T08:20:00Z");

function swept(more: Partial<EventHinted> = {}): EventHinted {
  const resourceVersion = decodeResourceVersion("7");
  if (resourceVersion === undefined) throw new Error("7 is a resourceVersion.");
  const stamp = { epoch: 0, resourceVersion, at: to };
  const span = { hintId: sweepsId(from), reason: SWEEPS_REASON, count: 3, firstAt: from, lastAt: to };
  return { ...stamp, kind: "EventHinted", target: sweepsTarget(to), ...span, ...more };
}

function around(at: string, hint = swept()): EventHinted | undefined {
  return sweepsAround(instant(at), { nodes: new Map(), gaps: [], hints: new Map([[hintKey(hint.target), [hint]]]) });
}

describe("the record of sweeps", () => {
  it("is one per hour, under a name that no Node has", () => {
    expect(sweepsTarget(from)).toEqual({ kind: "Node", namespace: "", name: "pod-gc/2026-01-01T08" });
  });

  it("is read for the hour of a deletion, and for the hour beside it within two minutes", () => {
    expect(sweepsTargetsAround(from)).toEqual([sweepsTarget(from)]);
    const late = instant("2026-01-01T08:58:30Z");
    expect(sweepsTargetsAround(late)).toEqual([sweepsTarget(late), sweepsTarget(instant("2026-01-01T09:00:00Z"))]);
  });

  it.each([
    ["2026-01-01T08:07:59Z", false],
    ["2026-01-01T08:08:00Z", true],
    ["2026-01-01T08:15:00Z", true],
    ["2026-01-01T08:22:00Z", true],
    ["2026-01-01T08:22:01Z", false],
  ])("covers %s: %s", (at, isCovered) => {
    expect(around(at) !== undefined).toBe(isCovered);
  });

  it("is not made by a core Event that claims to be one", () => {
    expect(around("2026-01-01T08:15:00Z", swept({ hintId: "6f0a8a34-uid-of-an-event" }))).toBeUndefined();
  });
});
