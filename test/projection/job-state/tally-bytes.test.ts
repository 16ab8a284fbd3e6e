import { inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { EMPTY_TALLY, type PodTally } from "../../../src/job/accounting/pod-tally.ts";
import { decodePodUid } from "../../../src/job/model/ids.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { decodeTally, encodeTally } from "../../../src/projection/job-state/tally-bytes.ts";
import { VarintReader } from "../../../src/projection/job-state/varint.ts";

function tallyWithPods(): PodTally {
  const uid = decodePodUid("pod-a");
  const resourceVersion = decodeResourceVersion("7");
  if (uid === undefined || resourceVersion === undefined) throw new Error("Both are valid.");
  const order = { epoch: 1, resourceVersion };
  const pod = { uid, ledger: "failed" as const, tracked: true, ...order };
  return {
    ...EMPTY_TALLY,
    finalizerOff: { succeeded: 2, failed: 1 },
    succeededAfterDeletion: 3,
    recentUponFailure: [{ uid, ...order }],
    recent: [{ ...pod, finalizerOffAt: order }],
    deletions: [pod],
  };
}

describe("the bytes of a tally", () => {
  it("decode to the tally that was encoded", () => {
    expect(decodeTally(encodeTally(tallyWithPods()))).toEqual(tallyWithPods());
    expect(decodeTally(encodeTally(EMPTY_TALLY))).toEqual(EMPTY_TALLY);
  });

  it("keep the names that earlier versions stored", () => {
    const block = new VarintReader(encodeTally(tallyWithPods())).block();
    const stored: unknown = JSON.parse(inflateRawSync(block).toString());
    expect(stored).toMatchObject({
      off: { succeeded: 2, failed: 1 },
      succeededAsked: 3,
      doomed: [{ uid: "pod-a" }],
      recent: [{ off: { epoch: 1, resourceVersion: 7 } }],
    });
    expect(Object.keys(stored as object)).not.toContain("finalizerOff");
  });
});
