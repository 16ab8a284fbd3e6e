import { afterEach, describe, expect, it } from "vitest";
import type { Fact, NamespaceObserved } from "../../../src/job/model/fact.ts";
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

/** The namespace of these Jobs. */
function namespaceWith(marks: Readonly<Record<string, string>> | undefined, changes = 0): NamespaceObserved {
  const resourceVersion = decodeResourceVersion(String(1_000 + changes));
  if (resourceVersion === undefined) throw new Error("not a resourceVersion");
  const stamp = { epoch: 0, resourceVersion, at: 0 };
  const named = { namespace: "default", namespaceUid: "ns-1" };
  return { ...stamp, kind: "NamespaceObserved", ...named, ...(marks && { marks }) };
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

  const marks = { [KEY]: "hook" };
  const marksOfOther = { [KEY]: "other-team" };
  it.each<[string, readonly Fact[], number]>([
    ["its namespace says", [namespaceWith(marks)], 1],
    ["its CronJob says, rather than its namespace", [namespaceWith(marks), cronJobWith(marksOfOther)], 0],
    ["its namespace says if its CronJob says nothing", [cronJobWith({}), namespaceWith(marks)], 1],
    ["its namespace says now", [namespaceWith(marks), namespaceWith(marksOfOther, 1)], 0],
    ["the rule says if its namespace says nothing any more", [namespaceWith(undefined, 1), namespaceWith(marks)], 0],
    [
      "the rule says if its namespace was deleted",
      [namespaceWith(marks), { ...namespaceWith(undefined), kind: "NamespaceDeleted" }],
      0,
    ],
  ])("about a Job go to where %s", async (_name, facts, expected) => {
    open = begin([ruleOf({ ...elsewhere, match: failures })]);
    await open.receive(facts);
    await open.receive(runAt(1, "Failed").facts);
    expect(await open.checkAt(1.5)).toHaveLength(expected);
  });

  it.each([
    ["team-a", 1],
    ["team-b", 0],
  ])("about a Job are selected by what its namespace says: %s", async (team, expected) => {
    const selector = parseLabelSelector("outlive.dev/team=team-a");
    if (selector.outcome !== "parsed") throw new Error("a selector");
    open = begin([ruleOf({ match: { ...failures, selector: selector.selector } })]);
    await open.receive([namespaceWith({ "outlive.dev/team": team })]);
    await open.receive(runAt(1, "Failed").facts);
    expect(await open.checkAt(1.5)).toHaveLength(expected);
  });

  it("about a series go to where its namespace says", async () => {
    const series = { failureThreshold: 1, recoveryThreshold: 1 };
    open = begin([ruleOf({ ...elsewhere, match: { states: [], findings: [] }, series })]);
    await open.receive([cronJobWith({}), namespaceWith(marks)]);
    expect(await hoursOf(open, "F")).toHaveLength(1);
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
