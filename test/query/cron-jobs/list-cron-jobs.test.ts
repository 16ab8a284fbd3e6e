import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Paged } from "../../../src/query/list/page.ts";
import type { CronJobAnswer } from "../../../src/query/cron-jobs/cron-jobs.ts";
import { type CronJobsQuery, listCronJobs } from "../../../src/query/cron-jobs/list-cron-jobs.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MeteredTrackers, tell } from "../../support/stores/metered-tracker.ts";
import { heardAfter, hourly, runAt } from "../../support/story/hourly-cron-job.ts";
import { Story } from "../../support/story/story.ts";

const trackers = new MeteredTrackers();
const { facts: heard, now } = heardAfter(3.5);
let ports: QueryPorts;

/** A suspended CronJob. */
function idle(name: string): Fact {
  const story = new Story();
  story.cronJob(name, { name, namespace: "default", suspend: true });
  const fact = story.clusterContext.cronJobs?.get(name)?.observed;
  if (fact === undefined) throw new Error("The story has a CronJob.");
  return fact;
}

beforeAll(async () => {
  const embedded = trackers.open();
  const { meta, log, projections } = embedded;
  // The CronJob that missed runs comes after 120 others, more than one page examines.
  const others = Array.from({ length: 120 }, (_, index) => idle(`a-${String(index).padStart(3, "0")}`));
  await tell(embedded, [...others, hourly(), ...runAt(1).facts]);
  await tell(embedded, heard);
  ports = { jobs: await liveJobs(projections, meta), meta, log };
});
afterAll(() => trackers.clear());

async function listed(query: Partial<CronJobsQuery>): Promise<Extract<Paged<CronJobAnswer>, { outcome: "listed" }>> {
  const page = await listCronJobs(ports, "everything", { limit: 1_000, ...query });
  if (page.outcome !== "listed") throw new Error(page.problem);
  return page;
}

describe("CronJobs", () => {
  it("are listed without findings, which take reads", async () => {
    const { items } = await listed({});
    expect(items).toHaveLength(121);
    expect(items.filter(({ findings }) => findings !== undefined)).toEqual([]);
  });

  it("with findings are listed with them, examining at most 100 for each page", async () => {
    const first = await listed({ attentionAt: now });
    expect(first.items).toEqual([]);
    const second = await listed({ attentionAt: now, cursor: first.nextCursor });
    expect(second).toMatchObject({
      items: [{ name: "hourly", findings: [{ kind: "MissedRun", since: "2026-01-01T02:00:00Z" }] }],
    });
    expect(second.nextCursor).toBeUndefined();
  });

  it("of another list have other cursors", async () => {
    const { nextCursor } = await listed({ limit: 1 });
    expect(await listCronJobs(ports, "everything", { limit: 1, cursor: nextCursor, attentionAt: now })).toMatchObject({
      outcome: "badCursor",
    });
  });

  it("outside of the reader's grants are not listed", async () => {
    const scope = { grants: [{ cluster: clusterNamed("east"), namespaces: ["other"] }] };
    expect(await listCronJobs(ports, scope, { limit: 10, attentionAt: now })).toMatchObject({ items: [] });
  });
});
