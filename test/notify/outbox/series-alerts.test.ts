import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Rule } from "../../../src/notify/rules/rules.ts";
import { hoursOf, seriesOnSqlite, seriesOnStage, type WatchedSeries } from "../../support/notify/watched-series.ts";
import { cronJobDeleted, hourly, runAt } from "../../support/story/hourly-cron-job.ts";
import { ruleOf } from "../../support/story/notified.ts";

function seriesRule(failureThreshold = 1, recoveryThreshold = 1, said: Partial<Rule> = {}): Rule {
  const match = { states: [], findings: [] };
  const series = { failureThreshold, recoveryThreshold };
  return ruleOf({ name: "nightly", match, resolve: true, series, ...said });
}

let directory = "";
let open: WatchedSeries | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outlive-series-"));
});
afterEach(() => {
  open?.close();
  rmSync(directory, { recursive: true });
});

/** The hours and kinds of the messages. */
function brief(sent: readonly string[]): readonly string[] {
  return sent.map((text) => text.replace(/:.*/, ""));
}

const STORES = {
  SQLite: (rules: readonly Rule[]) => seriesOnSqlite(join(directory, "jobs.sqlite"), rules),
  "the functions of a stage": seriesOnStage,
};

describe.each(Object.entries(STORES))("the alert of a series on %s", (_, begin) => {
  async function watched(...rules: readonly Rule[]): Promise<WatchedSeries> {
    open = begin(rules);
    await open.receive([hourly()]);
    return open;
  }

  it("is one message for all failures in a row, and ends with the next success", async () => {
    expect(await hoursOf(await watched(seriesRule()), "SFFFFSS")).toEqual([
      "2 opened: The last run failed at 2026-01-01T02:00:10Z: hourly-29453880 (BackoffLimitExceeded).",
      "6 resolved: Over: The last run succeeded at 2026-01-01T06:00:10Z: hourly-29454120.",
    ]);
  });

  it.each<[string, readonly [number, number], string, readonly string[]]>([
    ["opens with the third failure in a row", [3, 1], "FFSFFFF", ["6 opened"]],
    ["ends with the second success in a row", [1, 2], "FSFSS", ["1 opened", "5 resolved"]],
    ["opens again after it has ended", [2, 1], "FFSFF", ["2 opened", "3 resolved", "5 opened"]],
    ["stays open however long neither row is long enough", [3, 3], "FFFSSFSSFSSFSSFSSS", ["3 opened", "18 resolved"]],
  ])("%s", async (_name, [failures, successes], outcomes, expected) => {
    expect(brief(await hoursOf(await watched(seriesRule(failures, successes)), outcomes))).toEqual(expected);
  });

  it("is not repeated by a restart, by the same facts again, or by another check", async () => {
    const series = await watched(seriesRule(2, 2));
    expect(brief(await hoursOf(series, "FF"))).toEqual(["2 opened"]);
    series.restart([seriesRule(2, 2)]);
    await series.receive(runAt(2, "Failed").facts);
    expect(await series.checkAt(2.6)).toEqual([]);
    expect(brief(await hoursOf(series, "SS", 3))).toEqual(["4 resolved"]);
    series.restart([seriesRule(2, 2)]);
    await series.receive(runAt(4).facts);
    expect(await series.checkAt(4.6)).toEqual([]);
  });

  it("follows the order of the runs if their facts come in another order", async () => {
    const series = await watched(seriesRule(2, 1));
    expect(await hoursOf(series, "S--")).toEqual([]);
    await series.receive(runAt(3, "Failed").facts);
    expect(await series.checkAt(3.6)).toEqual([]);
    await series.receive(runAt(2, "Failed").facts.toReversed());
    expect(await series.checkAt(3.7)).toMatchObject([{ kind: "opened", state: "Failed" }]);
  });

  it("is judged by the rule as it is now", async () => {
    const series = await watched(seriesRule(1, 3));
    expect(brief(await hoursOf(series, "FS"))).toEqual(["1 opened"]);
    series.restart([seriesRule(4, 3)]);
    expect(await series.checkAt(2.6)).toEqual([]);
    series.restart([seriesRule(4, 1)]);
    expect(await series.checkAt(2.7)).toMatchObject([{ kind: "resolved", state: "Complete" }]);
    series.restart([seriesRule(1, 2)]);
    expect(await series.checkAt(2.8)).toMatchObject([{ kind: "opened" }]);
  });

  it("of one rule is independent of other rules and findings", async () => {
    const missed = ruleOf({ name: "missed", match: { states: [], findings: ["MissedRun"] }, resolve: true });
    const series = await watched(missed, seriesRule(1, 1), seriesRule(2, 1, { name: "second" }));
    const sent = brief(await hoursOf(series, "FF-S"));
    expect(sent).toEqual(["1 opened", "2 opened", "3 opened", "4 resolved", "4 resolved", "4 resolved"]);
  });

  it("ends with the CronJob", async () => {
    const series = await watched(seriesRule());
    expect(brief(await hoursOf(series, "F"))).toEqual(["1 opened"]);
    await series.receive([cronJobDeleted(1.6)]);
    expect(await series.checkAt(1.7)).toMatchObject([
      { kind: "resolved", headline: "Over: the CronJob was deleted, or has no due times." },
    ]);
    expect(await series.checkAt(1.8)).toEqual([]);
  });

  it("is not about the Jobs themselves", async () => {
    const series = await watched(seriesRule(2, 1));
    await series.receive(runAt(1, "Failed").facts);
    expect(await series.checkAt(1.5)).toEqual([]);
  });
});
