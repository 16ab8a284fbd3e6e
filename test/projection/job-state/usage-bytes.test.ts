import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOUR_MILLIS } from "../../../src/job/model/instant.ts";
import { type ClassSums, type HourlyUsage, USAGE_CLASSES, type Usage } from "../../../src/job/usage/usage.ts";
import { decodeUsage, encodeUsage } from "../../../src/projection/job-state/usage-bytes.ts";

const HOUR = 493_000 * HOUR_MILLIS;
const GIB = 1_073_741_824n * 1_000_000_000n;
const CORE = 1_000_000_000n;

function sums(of: ClassSums) {
  return [...of].filter(([, amount]) => amount !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Without sums of 0, which are not stored. */
function compared(hours: HourlyUsage) {
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hour, { pods, isAtMost, podTime, resources }]) => ({
      hour,
      pods,
      isAtMost,
      podTime: sums(podTime),
      resources: [...resources]
        .map(([name, of]) => [name, sums(of)] as const)
        .filter(([, of]) => of.length > 0)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    }));
}

function onePod(request: Readonly<Record<string, bigint>>): HourlyUsage {
  const podTime = new Map([["startUp", 2_500n] as const, ["kept", 61_000n] as const]);
  const resources = Object.entries(request).map(
    ([name, amount]) => [name, new Map([...podTime].map(([of, millis]) => [of, millis * amount]))] as const,
  );
  return new Map([[HOUR, { pods: 1, isAtMost: false, podTime, resources: new Map(resources) }]]);
}

const amounts = fc
  .array(fc.tuple(fc.constantFrom(...USAGE_CLASSES), fc.bigInt({ min: 0n, max: 1n << 90n })))
  .map((pairs): ClassSums => new Map(pairs));
const usages = fc.record({
  pods: fc.nat(2_000_000),
  isAtMost: fc.boolean(),
  podTime: amounts,
  resources: fc
    .array(fc.tuple(fc.constantFrom("cpu", "memory", "nvidia.com/gpu", "example.com/fpga"), fc.nat(8).map(BigInt)))
    .map((pairs) => new Map(pairs)),
});

describe("what a Job reserved as bytes", () => {
  it("takes some thirty bytes for a Job of one Pod", () => {
    expect(encodeUsage(onePod({ cpu: CORE / 2n, memory: GIB })).length).toBeLessThanOrEqual(32);
  });

  it("is the same afterwards, of any amounts", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(400_000), usages, fc.boolean(), amounts)), (parts) => {
        const hours: HourlyUsage = new Map(
          parts.map(([hour, usage, isEqual, other]): [number, Usage] => {
            const resources = [...usage.resources].map(([name, request]): [string, ClassSums] => [
              name,
              isEqual
                ? new Map([...usage.podTime].map(([of, millis]) => [of, millis * request]))
                : withTime(usage, other),
            ]);
            return [hour * HOUR_MILLIS, { ...usage, resources: new Map(resources) }];
          }),
        );
        expect(compared(decodeUsage(encodeUsage(hours)))).toEqual(compared(hours));
      }),
    );
  });

  it("is refused where a later release wrote it", () => {
    expect(() => decodeUsage(Uint8Array.of(1, 60, 0))).toThrow(/resource 60/);
    expect(() => decodeUsage(Uint8Array.of(1, 1, 9, 2))).toThrow(/scale 9/);
    expect(() => decodeUsage(Uint8Array.of(0, 5, 2, 1, 40, 2))).toThrow(/class 40/);
  });
});

/** Amounts in the classes that have time. */
function withTime({ podTime }: Pick<Usage, "podTime">, amounts: ClassSums): ClassSums {
  return new Map([...amounts].filter(([of]) => (podTime.get(of) ?? 0n) !== 0n));
}
