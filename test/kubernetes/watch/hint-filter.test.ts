import { describe, expect, it } from "vitest";
import { decodePodUid, type PodUid } from "../../../src/job/model/ids.ts";
import { HintFilter } from "../../../src/kubernetes/watch/hint-filter.ts";

const known = new Set<string>();
const hintFilter = () => new HintFilter<string>((uid) => known.has(uid));

function pod(name: string): PodUid {
  return decodePodUid(name) ?? expect.fail(`${name} is no uid`);
}

function about(uid: string) {
  return { kind: "Pod", namespace: "night", name: uid, uid } as const;
}

describe("a hint", () => {
  it.each([
    ["a Job", { kind: "Job", namespace: "night", name: "report", uid: "j1" }],
    ["a Node", { kind: "Node", namespace: "", name: "n1" }],
    ["a Pod that it does not name by uid", { kind: "Pod", namespace: "night", name: "a" }],
  ] as const)("about %s passes", (_, target) => {
    expect(hintFilter().passes(target, "hint")).toBe(true);
  });

  it("about a Pod of a Job passes, also when the Pod is gone", () => {
    const hints = hintFilter();
    known.add("p1");
    expect(hints.passes(about("p1"), "before")).toBe(true);
    known.delete("p1");
    hints.gone(pod("p1"));
    expect(hints.passes(about("p1"), "after")).toBe(true);
  });

  it("about an unknown Pod waits, and is released once, in order", () => {
    const hints = hintFilter();
    expect(hints.passes(about("p2"), "first")).toBe(false);
    expect(hints.passes(about("p2"), "second")).toBe(false);
    expect(hints.released(pod("p2"))).toEqual(["first", "second"]);
    expect(hints.released(pod("p2"))).toEqual([]);
  });

  it("that has waited longest goes when 10,000 wait, and its owner is called", () => {
    const dropped: string[] = [];
    const hints = new HintFilter<string>(
      (uid) => known.has(uid),
      (hint) => dropped.push(hint),
    );
    for (let number = 0; number <= 10_000; number += 1) hints.passes(about(`x${number}`), `hint ${number}`);
    expect(dropped).toEqual(["hint 0"]);
    expect(hints.released(pod("x0"))).toEqual([]);
    expect(hints.released(pod("x1"))).toEqual(["hint 1"]);
  });
});
