import { afterEach, describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import type { Rule } from "../../../src/notify/rules/rules.ts";
import { parseLabelSelector } from "../../../src/query/list/label-selector.ts";
import { hoursOf, seriesOnSqlite, seriesOnStage, type WatchedSeries } from "../../support/notify/watched-series.ts";
import { hourly, runAt } from "../../support/story/hourly-cron-job.ts";
import { ruleOf } from "../../support/story/notified.ts";

const KEY = "outlive.dev/notify";
/** Only `hook` is a receiver, so that nothing is sent unless a key names it. */
const elsewhere = { to: ["elsewhere"], toValueOf: KEY };

/** The CronJob as it is observed after this many changes. */
function cronJobWith(marks: Readonly<Record<string, string>>, changes = 0): Fact {
  const observed = hourly();
  const resourceVersion = decodeResourceVersion(String(1_000_000 + changes));
  if (observed.kind !== "CronJobObserved" || resourceVersion === undefined) throw new Error("a CronJob");
  return { ...observed, resourceVersion, marks };
}

let open: WatchedSeries | undefined;
afterEach(() => open?.close());

const STORES = { SQLite: (rules: readonly Rule[]) => seriesOnSqlite(":memory:", rules), "a stage": seriesOnStage };

describe.each(Object.entries(STORES))("messages on %s", (_, begin) => {
  const failures = { states: ["Failed"], findings: [] } as const;

  it.each([
    ["go to where its CronJob says", { [KEY]: "hook" }, 1],
    ["go elsewhere if its CronJob says nothing", {}, 0],
  ])("about a Job %s", async (_name, marks, expected) => {
    open = begin([ruleOf({ ...elsewhere, match: failures })]);
    await open.receive([cronJobWith(marks)]);
    await open.receive(runAt(1, "Failed").facts);
    const sent = await open.checkAt(1.5);
    expect(sent.map(({ subject }) => subject.kind)).toEqual(Array.from({ length: expected }, () => "Job"));
  });

  it.each([
    ["team-a", 1],
    ["team-b", 0],
  ])("about a Job are selected by what its CronJob says: %s", async (team, expected) => {
    const selector = parseLabelSelector("outlive.dev/team=team-a");
    if (selector.outcome !== "parsed") throw new Error("a selector");
    open = begin([ruleOf({ match: { ...failures, selector: selector.selector } })]);
    await open.receive([cronJobWith({ "outlive.dev/team": team })]);
    const { facts } = runAt(1, "Failed");
    await open.receive(facts);
    await open.receive(facts);
    expect(await open.checkAt(1.5)).toHaveLength(expected);
  });

  it("about a series end where they began, whatever its CronJob says then", async () => {
    const series = { failureThreshold: 1, recoveryThreshold: 1 };
    const rules = [ruleOf({ ...elsewhere, match: { states: [], findings: [] }, resolve: true, series })];
    open = begin(rules);
    await open.receive([cronJobWith({ [KEY]: "hook" })]);
    expect(await hoursOf(open, "F")).toHaveLength(1);
    await open.receive([cronJobWith({ [KEY]: "other" }, 1)]);
    expect((await hoursOf(open, "S", 2)).map((text) => text.split(":")[0])).toEqual(["2 resolved"]);
    expect(await hoursOf(open, "F", 3)).toEqual([]);
  });
});
