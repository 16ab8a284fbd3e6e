import { describe, expect, it } from "vitest";
import { type CountedPod, EMPTY_TALLY } from "../../../src/job/accounting/pod-tally.ts";
import {
  boundLists,
  joinLists,
  lastTouch,
  MAX_FAIL_JOB,
  MAX_ORDERED,
  MAX_RECENT,
  MAX_SUCCESSES,
  takeLists,
  type TallyLists,
} from "../../../src/job/accounting/tally-lists.ts";
import { decodePodUid } from "../../../src/job/model/ids.ts";
import { decodeResourceVersion, type Order } from "../../../src/job/model/order.ts";

const { failJob, recent, recentUponFailure, successes, indexSuccesses, deletions } = EMPTY_TALLY;
const none: TallyLists = { failJob, recent, recentUponFailure, successes, indexSuccesses, deletions };

function order(number: number): Order {
  const resourceVersion = decodeResourceVersion(String(number));
  if (resourceVersion === undefined) throw new Error(`${number} is not a resourceVersion.`);
  return { epoch: 0, resourceVersion };
}

function pod(number: number, more: Partial<CountedPod> = {}): CountedPod {
  const uid = decodePodUid(`pod-${number}`);
  if (uid === undefined) throw new Error("The uid is valid.");
  return { uid, ledger: "succeeded", tracked: true, ...order(number), ...more };
}

function upTo<Item>(last: number, item: (number: number) => Item): readonly Item[] {
  return Array.from({ length: last }, (_, at) => item(at + 1));
}

describe("the lists of a tally", () => {
  it("keep the latest counted Pods, latest first", () => {
    const { recent } = boundLists({ ...none, recent: upTo(MAX_RECENT + 3, (number) => pod(number)) });
    expect(recent).toHaveLength(MAX_RECENT);
    expect(recent[0]?.resourceVersion).toBe(MAX_RECENT + 3);
  });

  it("order counted Pods by the removal of their finalizer, if it was removed", () => {
    const pods = [pod(1, { finalizerOffAt: order(9) }), pod(5), pod(3)];
    const { recent } = boundLists({ ...none, recent: pods });
    expect(recent.map(({ uid }) => uid)).toEqual(["pod-1", "pod-5", "pod-3"]);
    expect(recent.map((counted) => lastTouch(counted).resourceVersion)).toEqual([9, 5, 3]);
  });

  it("keep the first matches of FailJob rules, successes, index successes and deletions", () => {
    const bounded = boundLists({
      failJob: upTo(MAX_FAIL_JOB + 1, (number) => ({ ...order(number), message: "m" })).toReversed(),
      recent: [],
      recentUponFailure: [],
      successes: upTo(MAX_SUCCESSES + 1, (number) => number).toReversed(),
      indexSuccesses: upTo(MAX_ORDERED + 1, (number) => ({ ...order(number), index: 0 })).toReversed(),
      deletions: upTo(MAX_ORDERED + 1, (number) => pod(number)).toReversed(),
    });
    expect(bounded.failJob.map(({ resourceVersion }) => resourceVersion)).toEqual(upTo(MAX_FAIL_JOB, Number));
    expect(bounded.successes).toEqual(upTo(MAX_SUCCESSES, Number));
    expect(bounded.indexSuccesses.at(-1)?.resourceVersion).toBe(MAX_ORDERED);
    expect(bounded.deletions.at(-1)?.resourceVersion).toBe(MAX_ORDERED);
  });

  it("are the same however they are joined", () => {
    const [a, b] = [
      { ...none, recent: [pod(1)], successes: [5] },
      { ...none, recent: [pod(2)], successes: [3] },
    ];
    expect(joinLists(a, b)).toEqual(joinLists(b, a));
    expect(joinLists(a, b)).toMatchObject({ recent: [{ uid: "pod-2" }, { uid: "pod-1" }], successes: [3, 5] });
  });

  it("are restored when the joined members are taken out", () => {
    const a: TallyLists = {
      failJob: [{ ...order(1), message: "m" }],
      recent: [pod(1)],
      recentUponFailure: [{ uid: pod(1).uid, ...order(1) }],
      successes: [5, 7],
      indexSuccesses: [{ ...order(1), index: 3 }],
      deletions: [pod(1)],
    };
    const b: TallyLists = { ...none, recent: [pod(2)], successes: [5], indexSuccesses: [{ ...order(1), index: 4 }] };
    expect(takeLists(joinLists(a, b), b)).toEqual(a);
  });

  it("lose one of several equal members when one is taken out", () => {
    expect(takeLists({ ...none, successes: [5, 5] }, { ...none, successes: [5] }).successes).toEqual([5]);
  });
});
