import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareOrder, decodeResourceVersion, type Order } from "../../../src/job/model/order.ts";
import { WorkUnitOrders } from "../../../src/job/evidence/work-unit-orders.ts";

function order(epoch: number, resourceVersion: number): Order {
  const decoded = decodeResourceVersion(String(resourceVersion));
  if (decoded === undefined) throw new Error("A resourceVersion is a positive integer.");
  return { epoch, resourceVersion: decoded };
}

const anOrder = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 50 })).map(([epoch, number]) => order(epoch, number));
const aPod = fc.record({ piece: fc.constantFrom(0, 1, 1023, 1024, 2_000_000_000), order: anOrder });

describe("the orders of Pods by piece of work", () => {
  it("give the same answers as a list of all Pods", () => {
    fc.assert(
      fc.property(fc.array(aPod), aPod, (pods, asked) => {
        const orders = new WorkUnitOrders();
        for (const pod of pods) orders.add(pod.piece, pod.order);
        const same = pods.filter(({ piece }) => piece === asked.piece);
        expect(orders.isRepeated(asked.piece)).toBe(same.length > 1);
        expect(orders.hasAfter(asked.piece, asked.order)).toBe(
          same.some((pod) => compareOrder(pod.order, asked.order) > 0),
        );
        expect(orders.hasRepeated).toBe(new Set(pods.map(({ piece }) => piece)).size < pods.length);
      }),
    );
  });
});
