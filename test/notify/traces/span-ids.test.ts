import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spanIdOf, traceIdOf } from "../../../src/notify/traces/span-ids.ts";

const part = fc.oneof(fc.string(), fc.nat());

describe("ids of a trace", () => {
  it("are those of every release: a trace that is sent again must not become a second one", () => {
    expect(traceIdOf("prod-eu", "u1")).toBe("c3101ac6edad21b8133be0f41461f4d8");
    expect(spanIdOf("prod-eu", "container", ["u1", "work", 2])).toBe("bd6d3b970d760bf5");
  });

  it("differ if anything differs", () => {
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (a, b) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b);
        expect(spanIdOf("east", "pod", a) === spanIdOf("east", "pod", b)).toBe(isSame);
      }),
    );
    expect(spanIdOf("east", "pod", ["u1"])).not.toBe(spanIdOf("west", "pod", ["u1"]));
    expect(spanIdOf("east", "pod", ["u1"])).not.toBe(spanIdOf("east", "job", ["u1"]));
    expect(traceIdOf("east", "u1")).not.toBe(traceIdOf("west", "u1"));
  });
});
