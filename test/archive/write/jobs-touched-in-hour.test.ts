import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TouchedJobs } from "../../../src/archive/write/jobs-touched-in-hour.ts";
import { EIGHT, endedJob, podUidOf, startedJob } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const east = clusterNamed("east");
const ended = (name: string) => endedJob({ name, createdAt: EIGHT });

describe("the Jobs of an hour", () => {
  it("are counted by the segments that are about them", () => {
    const touched = new TouchedJobs();
    const story = { name: "a", createdAt: EIGHT };
    touched.add({ cluster: east, sk: "1", facts: startedJob(story) });
    touched.add({ cluster: east, sk: "2", facts: endedJob(story) });
    touched.add({ cluster: east, sk: "2", facts: endedJob(story) });
    expect([...touched.jobs()]).toEqual([
      { cluster: east, jobUid: "a", segments: new Set(["1", "2"]), pods: new Set([podUidOf("a")]) },
    ]);
    expect(touched.shares).toBe(1);
  });

  it("are in the order of their first facts", () => {
    const touched = new TouchedJobs();
    for (const name of ["b", "a", "b"]) touched.add({ cluster: east, sk: "1", facts: ended(name) });
    expect([...touched.jobs()].map(({ jobUid }) => jobUid)).toEqual(["b", "a"]);
  });

  it("are others in each cluster, cluster by cluster", () => {
    const touched = new TouchedJobs();
    for (const cluster of [clusterNamed("west"), east, clusterNamed("west")]) {
      touched.add({ cluster, sk: "1", facts: ended("a") });
      touched.add({ cluster, sk: "1", facts: ended("b") });
    }
    expect([...touched.jobs()].map(({ cluster, jobUid }) => `${cluster} ${jobUid}`)).toEqual([
      "west a",
      "west b",
      "east a",
      "east b",
    ]);
  });

  it("are each in one share if there are too many for the memory", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 60 }), (names) => {
        const first = new TouchedJobs({ most: 20 });
        const addAll = (touched: TouchedJobs): TouchedJobs => {
          for (const name of names) touched.add({ cluster: east, sk: "1", facts: ended(name) });
          return touched;
        };
        addAll(first);
        const { shares } = first;
        const others = Array.from({ length: shares - 1 }, (_, index) => new TouchedJobs({ share: index + 1, shares }));
        const all = [first, ...others.map(addAll)].flatMap((each) => [...each.jobs()].map(({ jobUid }) => jobUid));
        expect(all.toSorted()).toEqual(names.toSorted());
      }),
    );
  });
});
