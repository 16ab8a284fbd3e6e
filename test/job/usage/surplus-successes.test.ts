import { describe, expect, it } from "vitest";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { type Success, SurplusSuccesses } from "../../../src/job/usage/surplus-successes.ts";
import { Story } from "../../support/story/story.ts";

const beginning = new Story();

function success(name: string, second: number, index?: number): Success {
  const story = new Story();
  story.podCreated(name, { ...(index !== undefined && { index }) });
  const at = story.second(second);
  const reservation = { boundAt: at, beganAt: at, doneAt: at, endedAt: at, isOver: true, isExact: true, steps: [] };
  return { pod: story.pod(name), reservation };
}

function surplusOf(spec: Partial<JobSpec>, successes: readonly Success[]): readonly string[] {
  const { parallelism, backoffLimit, suspend } = { parallelism: 1, backoffLimit: 6, suspend: false };
  const whole = { parallelism, backoffLimit, suspend, restartPolicy: "Never", completionMode: "NonIndexed", ...spec };
  const surplus = new SurplusSuccesses(whole);
  for (const { pod } of successes) surplus.count(pod);
  if (surplus.hasAny()) for (const one of successes) surplus.visit(one);
  return surplus.take().map(({ pod }) => pod.uid.replace("render-", ""));
}

describe("the successes that do not count", () => {
  it("are those beyond the completions, in the order of their ends", () => {
    const all = [success("late", 9), success("first", 1), success("second", 2), success("third", 3)];
    expect(surplusOf({ completions: 2 }, all)).toEqual(["third", "late"]);
    expect(surplusOf({ completions: 4 }, all)).toEqual([]);
    expect(surplusOf({}, all)).toEqual([]);
  });

  it("are found among more successes than are held", () => {
    const many = Array.from({ length: 2_500 }, (_, number) => success(`n${number}`, (number * 7_919) % 2_500));
    const late = many.filter(({ reservation }) => reservation.doneAt >= beginning.second(2_490));
    const names = late.map(({ pod }) => pod.uid.replace("render-", ""));
    expect(surplusOf({ completions: 2_490 }, many).toSorted()).toEqual(names.toSorted());
  });

  it("are all but the first of each index, and those without an index", () => {
    const all = [success("i0b", 5, 0), success("i0a", 1, 0), success("i1", 9, 1), success("none", 3)];
    expect(surplusOf({ completionMode: "Indexed", completions: 2 }, all).toSorted()).toEqual(["i0b", "none"]);
  });

  it("are decided by creation and uid if their ends are equal", () => {
    expect(surplusOf({ completions: 1 }, [success("b", 1), success("a", 1)])).toEqual(["b"]);
  });
});
