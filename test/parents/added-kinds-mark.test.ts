import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kindsInMark, markOfKinds } from "../../src/parents/added-kinds-mark.ts";
import type { RecognisedKind } from "../../src/parents/recognised-kind.ts";

const experiment: RecognisedKind = {
  kind: "Experiment",
  resource: "experiments.acme.io",
  role: "series",
  controls: true,
  alone: true,
  name: "mnist",
  uid: "u-1",
  part: "trainer",
  attempt: 2,
  ids: { "acme/trial": "7", "acme/team": "ml" },
  work: "7",
  within: "ml",
  series: { kind: "Study", name: "digits" },
};

describe("the mark of added kinds", () => {
  it("is read as it was written", () => {
    const kinds = [experiment, { kind: "Sweep", ids: { "acme/sweep": "1" } }, { kind: "Hook", series: { kind: "H" } }];
    expect(kindsInMark(markOfKinds(kinds, 1024))).toEqual(kinds);
  });

  it("does not exist for no kinds", () => {
    expect(markOfKinds([], 1024)).toBeUndefined();
    expect(kindsInMark(undefined)).toEqual([]);
  });

  it("leaves out the last ids, and then whole kinds, that do not fit", () => {
    const ids = { "acme/a": "x".repeat(50), "acme/b": "y".repeat(50), "acme/c": "z".repeat(50) };
    const mark = markOfKinds([{ kind: "A", ids }, { kind: "B", name: "n".repeat(100) }, { kind: "C" }], 170);
    expect(kindsInMark(mark)).toEqual([
      { kind: "A", ids: { "acme/a": "x".repeat(50), "acme/b": "y".repeat(50) } },
      { kind: "C" },
    ]);
    expect(Buffer.byteLength(mark ?? "")).toBeLessThanOrEqual(170);
  });

  it("counts bytes of UTF-8", () => {
    expect(markOfKinds([{ kind: "A", name: "é".repeat(20) }], 60)).toBeUndefined();
  });

  it("keeps what it can read of a newer build", () => {
    const mark = JSON.stringify([{ ...experiment, color: "red" }, { kind: "Sweep", name: { key: "a" } }, 7, null]);
    expect(kindsInMark(mark)).toMatchObject([{ kind: "Experiment" }]);
  });

  it.each([["{"], ["{}"], ["null"], ['"text"'], ["[[]]"], ['[{"name":"a"}]'], ['[{"kind":"A","ids":{"a":1}}]']])(
    "has no kinds if it is %s",
    (mark) => {
      expect(kindsInMark(mark)).toEqual([]);
    },
  );

  it("never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (mark) => {
        for (const { kind } of kindsInMark(mark)) expect(typeof kind).toBe("string");
      }),
    );
  });
});
