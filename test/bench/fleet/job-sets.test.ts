import { describe, expect, it } from "vitest";
import { eventsOfJobSet, JOBS_OF_SET } from "../../../bench/fleet/job-sets.ts";
import type { PlannedJob } from "../../../bench/fleet/job-template.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { listRuns } from "../../../src/query/runs/list-runs.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";

const BEGINS_AT = Date.UTC(2026, 10, 21, 9);
const HOUR = 3_600_000;

/** The answer about JobSet `number` after so many milliseconds. */
async function answerAfter(number: number, millis: number) {
  const jobs = Array.from({ length: JOBS_OF_SET }, (_, index): PlannedJob => {
    const place = { cluster: "fleet-1", namespace: `team-${index}`, name: `import-${index}`, number: index };
    return { ...place, end: "completes", lifetime: 40_000, ttl: 300_000 };
  });
  const events = eventsOfJobSet({ jobs, number }, BEGINS_AT).filter(({ ms }) => ms <= millis);
  const facts = events
    .toSorted((a, b) => a.ms - b.ms)
    .flatMap(({ event }, index) => {
      const { object } = event;
      const metadata = { ...(object["metadata"] as object), resourceVersion: String(index + 1) };
      const translated = translate({ ...event, object: { ...object, metadata } });
      if (translated.outcome !== "translated") throw new Error(JSON.stringify(translated));
      return translated.facts;
    });
  const ports = await runPortsWith(facts);
  const now = BEGINS_AT + HOUR;
  const page = await listRuns(ports, "everything", { filter: {}, written: {}, limit: 10, now });
  if (page.outcome === "badCursor") throw new Error(page.problem);
  const [answer, ...others] = page.items;
  expect(others).toEqual([]);
  return answer;
}

describe("the events of a simulated JobSet", () => {
  it("describe one run of four Jobs that Kueue admitted, and that was deleted after its TTL", async () => {
    const answer = await answerAfter(1, HOUR);
    expect(answer).toMatchObject({
      kind: "JobSet",
      name: "train-1",
      namespace: "team-0",
      verdict: { state: "Complete", final: true, basis: "both" },
      queue: { name: "main", clusterQueue: "team" },
      jobs: { total: JOBS_OF_SET, complete: JOBS_OF_SET },
    });
    expect(answer?.queue?.admittedAt).toHaveLength(1);
    expect(Date.parse(answer?.deletedAt ?? "") - Date.parse(answer?.finishedAt ?? "")).toBeCloseTo(300_000, -4);
  });

  it("let one in four wait for a minute, with suspended Jobs", async () => {
    expect(await answerAfter(4, 30_000)).toMatchObject({
      verdict: { state: "Queued", reason: "Pending" },
      jobs: { total: JOBS_OF_SET, waiting: JOBS_OF_SET },
    });
    expect((await answerAfter(5, 30_000))?.verdict.state).toBe("Running");
  });
});
