import { describe, expect, it } from "vitest";
import {
  caller,
  describe as describeTarget,
  type EraseFlags,
  nameOf,
  reasonOf,
  targetOf,
} from "../../../cli/erase/erase-flags.ts";

const flags: EraseFlags = { output: "table", headers: true, color: "never", database: "x.sqlite", cluster: "east" };

describe("the target of outlive erase", () => {
  it.each([
    [undefined, {}, "cluster", "east", "cluster east"],
    [undefined, { namespace: "shop" }, "namespace", "shop", "namespace shop of east"],
    ["job/report", { namespace: "shop" }, "job", "report", "Job report of namespace shop of east"],
  ] as const)("of %s with %o is a %s", (job, options, level, name, text) => {
    const target = targetOf(job, { ...flags, ...options });
    expect([target.level, nameOf(target), describeTarget(target)]).toEqual([level, name, text]);
  });

  it("is one Job where its uid is named", () => {
    const target = targetOf("report", { ...flags, namespace: "shop", uid: "uid-1" });
    expect(target).toMatchObject({ level: "job", name: "report", uid: "uid-1" });
  });

  it.each<[string, string | undefined, Partial<EraseFlags>, string]>([
    ["an invalid cluster", undefined, { cluster: "a#b" }, "Name the cluster"],
    ["a Job without a namespace", "report", {}, "Name the namespace"],
    ["an empty namespace", undefined, { namespace: "" }, "Name a namespace"],
    ["a uid without a Job", undefined, { uid: "uid-1" }, "Name the Job of the uid"],
    ["an invalid uid", "report", { namespace: "shop", uid: "a b" }, "is not a uid. List"],
    ["another resource", "pod/report", { namespace: "shop" }, "write NAME or job/report"],
  ])("is not %s", (_, job, options, message) => {
    expect(() => targetOf(job, { ...flags, ...options })).toThrow(message);
  });
});

describe("who erases, and why", () => {
  it("is the user of the process, and a trimmed text", () => {
    expect(caller()).not.toBe("");
    expect(reasonOf({ ...flags, reason: " request 12 " })).toBe("request 12");
  });
});
