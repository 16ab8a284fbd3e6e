import { describe, expect, it } from "vitest";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { eraseSeriesRuns } from "../../../src/projection/series/erase-series-runs.ts";
import { joinSeriesRuns, readPastRuns, seriesRunsOf } from "../../../src/projection/series/series-runs.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { PATIENT, twoProjections } from "../../support/stores/two-projections.ts";
import { Story } from "../../support/story/story.ts";

const cluster = clusterNamed("east");

function run(name: string, cronJob: string): Story {
  const story = new Story(name);
  story.jobCreated({}, { owner: { kind: "CronJob", name: cronJob, uid: cronJob } });
  story.after(30);
  story.jobFinished("Complete");
  return story;
}

describe("the runs of erased Jobs", () => {
  it("leave the records of their series, which are removed without another run", async () => {
    const { meta, projections } = twoProjections();
    const stories = [run("a", "nightly"), run("b", "nightly"), run("c", "hourly")];
    for (const { facts, record } of stories) {
      const ports = { jobs: projections.open("A"), meta };
      await projectSegments(ports, sealInSegments(facts, facts.length, 0), PATIENT);
      await joinSeriesRuns(meta, seriesRunsOf(cluster, record.job), PATIENT);
    }
    const eraser = {
      storedJobs: async function* (projection: "A" | "B") {
        yield* projection === "A" ? stories.map((story) => story.jobUid) : [jobUid("other")];
      },
      removeRecord: async (kind: "series", key: string) => meta.remove(kind, key),
    };
    const [a, , c] = stories.map((story) => story.jobUid);
    await eraseSeriesRuns({ cluster, meta, projections, eraser, isErasedJob: (uid) => uid === a || uid === c });
    const left = await Promise.all(
      stories.map(async ({ record }) => (await readPastRuns(meta, cluster, record.job.created))?.length),
    );
    expect(left).toEqual([1, 1, 0]);
    expect((await meta.list("series", { prefix: "east#", limit: 9 })).records).toHaveLength(1);
  });
});
