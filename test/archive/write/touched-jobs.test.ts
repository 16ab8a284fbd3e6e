import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TouchedJobs } from "../../../src/archive/write/touched-jobs.ts";
import { EIGHT, endedJob, podUidOf, startedJob } from "../../support/archive/archive-scene.ts";

describe("the Jobs of an hour", () => {
  it("are counted by the segments that are about them", () => {
    const touched = new TouchedJobs();
    const story = { name: "a", createdAt: EIGHT };
    touched.add(startedJob(story));
    touched.add(endedJob(story));
    expect([...touched.jobs]).toEqual([["a", { segments: 2, pods: new Set([podUidOf("a")]) }]]);
    expect(touched.shares).toBe(1);
  });

  it("are in the order of their first facts", () => {
    const touched = new TouchedJobs();
    for (const name of ["b", "a", "b"]) touched.add(endedJob({ name, createdAt: EIGHT }));
    expect([...touched.jobs.keys()]).toEqual(["b", "a"]);
  });

  it("are each in one share if there are too many for the memory", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 60 }), (names) => {
        const first = new TouchedJobs({ most: 20 });
        const addAll = (touched: TouchedJobs): TouchedJobs => {
          for (const name of names) touched.add(endedJob({ name, createdAt: EIGHT }));
          return touched;
        };
        addAll(first);
        const { shares } = first;
        const others = Array.from({ length: shares - 1 }, (_, index) => new TouchedJobs({ share: index + 1, shares }));
        const all = [first, ...others.map(addAll)].flatMap(({ jobs }) => [...jobs.keys()]);
        expect(all.toSorted()).toEqual(names.toSorted());
      }),
    );
  });
});
