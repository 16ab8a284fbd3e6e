import { describe, expect, it } from "vitest";
import type { EventHinted } from "../../../src/job/model/fact.ts";
import { joinNodeFact } from "../../../src/job/model/cluster-fold.ts";
import { hintRecord } from "../../../src/ports/records/hint-record.ts";
import { nodeRecord } from "../../../src/ports/records/node-record.ts";
import { RecordFold, valueFromLog } from "../../../src/upkeep/replay/record-fold.ts";
import { labelledNode } from "../../support/facts/node-facts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { numberedFact } from "../../support/stores/sealed-segments.ts";

const EAST = clusterNamed("east");
const record = { kind: "hints", key: "east#Pod/default/one" } as const;

function hintAt(at: number): EventHinted {
  const target = { kind: "Pod", namespace: "default", name: "one" } as const;
  const { resourceVersion } = numberedFact(1);
  const order = { epoch: 0, resourceVersion, at };
  return {
    ...order,
    kind: "EventHinted",
    hintId: `hint-${at}`,
    target,
    reason: "Killing",
    count: 1,
    firstAt: at,
    lastAt: at,
  };
}

function folded(...facts: readonly EventHinted[]) {
  const fold = new RecordFold();
  fold.add({ cluster: EAST, facts });
  return fold.get(record);
}

const valueOf = (...hints: readonly EventHinted[]) => hintRecord.encode({ hints });
const COMPLETE = { since: -Infinity, gapsBefore: -Infinity, hintsBefore: -Infinity };

describe("a record that follows from the log", () => {
  it("has the facts of the log, whatever is stored", () => {
    const origin = { folded: folded(hintAt(1), hintAt(2)), begin: COMPLETE };
    const expected = valueOf(hintAt(1), hintAt(2));
    for (const stored of [undefined, "{", valueOf(hintAt(1)), valueOf(hintAt(3)), expected]) {
      expect(valueFromLog(record, { ...origin, stored })).toBe(expected);
    }
  });

  it("is nothing if the log does not state it", () => {
    expect(valueFromLog(record, { folded: undefined, stored: valueOf(hintAt(1)), begin: COMPLETE })).toBeUndefined();
  });

  it("keeps what it has from before the begin of the log", () => {
    const begin = { ...COMPLETE, since: 2 };
    const stored = valueOf(hintAt(1), hintAt(3));
    expect(valueFromLog(record, { folded: folded(hintAt(2)), stored, begin })).toBe(valueOf(hintAt(1), hintAt(2)));
    expect(valueFromLog(record, { folded: undefined, stored, begin })).toBe(valueOf(hintAt(1)));
  });

  it("keeps the labels of a Node from before the begin of the log", () => {
    const node = { kind: "node", key: "east#n" } as const;
    const labels = { "karpenter.sh/capacity-type": "spot" };
    const known = joinNodeFact({ node: "n", stands: [], deleted: [] }, labelledNode("n", labels, { createdAt: 1 }));
    const stored = nodeRecord.encode(known);
    expect(valueFromLog(node, { folded: undefined, stored, begin: { ...COMPLETE, since: 2 } })).toBe(stored);
  });

  it("does not get back what retention has deleted, and keeps what it has not", () => {
    const begin = { ...COMPLETE, hintsBefore: 2 };
    const origin = { folded: folded(hintAt(1), hintAt(3)), begin };
    expect(valueFromLog(record, { ...origin, stored: undefined })).toBe(valueOf(hintAt(3)));
    expect(valueFromLog(record, { ...origin, stored: valueOf(hintAt(1), hintAt(3)) })).toBe(
      valueOf(hintAt(1), hintAt(3)),
    );
    expect(valueFromLog(record, { folded: folded(hintAt(1)), stored: undefined, begin })).toBeUndefined();
  });
});
