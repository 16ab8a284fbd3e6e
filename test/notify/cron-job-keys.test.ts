import { describe, expect, it } from "vitest";
import { cronJobKeys, mayMatch, withKeys } from "../../src/notify/cron-job-keys.ts";
import type { Rule } from "../../src/notify/rules/rules.ts";
import { canonical } from "../../src/job/model/canonical.ts";
import { cronJobKey } from "../../src/ports/meta-key.ts";
import { parseLabelSelector } from "../../src/query/list/label-selector.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { failedJob, ruleOf } from "../support/story/notified.ts";
import { cronJobOf } from "../support/story/hourly-cron-job.ts";

const KEY = "outlive.dev/notify";
const marks = { [KEY]: "team-a" };
const owner = { kind: "CronJob", name: "hourly", uid: "cron-1" };

function selecting(text: string): Rule {
  const parsed = parseLabelSelector(text);
  if (parsed.outcome !== "parsed") throw new Error(text);
  return ruleOf({ match: { states: ["Failed"], findings: [], selector: parsed.selector } });
}

describe("what the CronJob of a Job says for Outlive", () => {
  async function keysFor(rules: readonly Rule[], of: object = {}) {
    const meta = new MemoryMetaStore();
    const value = canonical({ cronJobUid: "cron-1", observed: { ...cronJobOf("0 * * * *"), marks } });
    await meta.write("cronjob", cronJobKey(clusterNamed("prod-eu"), "cron-1"), { value, expected: 0 });
    return cronJobKeys(meta, rules, failedJob({ owner, ...of }));
  }

  it.each([
    ["sends to the value of such a key", ruleOf({ toValueOf: KEY })],
    ["selects by such a key", selecting(`${KEY}=team-a`)],
  ])("is read for a rule that %s", async (_, rule) => {
    expect(await keysFor([ruleOf(), rule])).toEqual(marks);
  });

  it.each([
    ["without such a rule", [ruleOf({ toValueOf: "team" }), selecting("team=a")], {}],
    ["of a Job that no CronJob owns", [ruleOf({ toValueOf: KEY })], { owner: { ...owner, kind: "JobSet" } }],
    ["of a Job whose CronJob was not observed", [ruleOf({ toValueOf: KEY })], { owner: { ...owner, uid: "other" } }],
  ])("is nothing %s", async (_, rules, of) => {
    expect(await keysFor(rules, of)).toEqual({});
  });

  it("gives way to what the Job says", () => {
    const { labels } = withKeys(failedJob({ labels: { [KEY]: "team-b" } }), { ...marks, "outlive.dev/tier": "1" });
    expect(labels).toEqual({ [KEY]: "team-b", "outlive.dev/tier": "1" });
  });
});

describe("a rule that selects by what a CronJob says", () => {
  it.each([
    [`${KEY}=team-a`, owner, true],
    [`${KEY}=team-a`, { ...owner, kind: "JobSet" }, false],
    [`${KEY}=team-a,team=billing`, owner, true],
    [`${KEY}=team-a,team=other`, owner, false],
  ])("may match a Job with the selector %s and the owner %j: %s", (text, of, expected) => {
    expect(mayMatch(selecting(text), failedJob({ owner: of })) !== undefined).toBe(expected);
  });
});
