import { describe, expect, it } from "vitest";
import { listFoundPods, listJobPods } from "../../../src/query/job/job-pods.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

const PODS = 5;
const cluster = clusterNamed("east");
const scoped = { scope: "everything", wanted: { cluster, namespace: "default", name: "report" } } as const;

async function portsWithPods() {
  const story = new Story("report");
  story.jobCreated({ completions: PODS });
  story.jobTracked();
  for (let run = 0; run < PODS; run += 1) story.podSucceeds(`p${run}`, 1, { tracked: true });
  const { projections, meta, log } = await storesWithFacts(story.facts);
  return { ports: { jobs: projections.open("A"), meta, log }, uid: story.jobUid };
}

describe("the attempts of a Job", () => {
  it.each([1, 2, PODS, PODS + 1])("are each on one page, oldest first, with pages of %i", async (limit) => {
    const { ports } = await portsWithPods();
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listJobPods(ports, scoped, { limit, cursor });
      if (page.outcome !== "listed") throw new Error(page.outcome);
      expect(page.items.length).toBeLessThanOrEqual(limit);
      names.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(["report-p0", "report-p1", "report-p2", "report-p3", "report-p4"]);
  });

  it("are the same for a Job from a list, and there are none of an unknown one", async () => {
    const { ports, uid } = await portsWithPods();
    const query = { limit: 2 };
    expect(await listFoundPods(ports, { cluster, jobUid: uid }, query)).toEqual(
      await listJobPods(ports, scoped, query),
    );
    expect(await listFoundPods(ports, { cluster, jobUid: jobUid("other") }, query)).toBeUndefined();
  });

  it("refuse a cursor that was not given out for them", async () => {
    const { ports } = await portsWithPods();
    const page = await listJobPods(ports, scoped, { limit: 1, cursor: "nonsense" });
    expect(page).toMatchObject({ outcome: "badCursor", problem: expect.stringContaining("nextCursor") as string });
  });
});
