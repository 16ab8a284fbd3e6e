import { describe, expect, it } from "vitest";
import { keysAround, mayMatch, withKeys } from "../../src/notify/keys-around.ts";
import type { Rule } from "../../src/notify/rules/rules.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { canonical } from "../../src/job/model/canonical.ts";
import { cronJobKey, namespaceMarksKey } from "../../src/ports/meta-key.ts";
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

const cluster = clusterNamed("prod-eu");
const stamp = { epoch: 0, resourceVersion: 5, at: 0 };
const ofNamespace = { namespace: "payments", namespaceUid: "ns-1" };

interface Around {
  readonly cronJob?: Readonly<Record<string, string>>;
  readonly namespace?: Readonly<Record<string, string>>;
  /** The namespace of this uid was deleted. */
  readonly deleted?: string;
}

/** A store with what a CronJob and a namespace say. It counts what is read. */
async function storeOf({ cronJob, namespace, deleted }: Around) {
  const meta = new MemoryMetaStore();
  if (cronJob !== undefined) {
    const value = canonical({ cronJobUid: "cron-1", observed: { ...cronJobOf("0 * * * *"), marks: cronJob } });
    await meta.write("cronjob", cronJobKey(cluster, "cron-1"), { value, expected: 0 });
  }
  if (namespace !== undefined) {
    const observed = { ...stamp, kind: "NamespaceObserved", ...ofNamespace, marks: namespace };
    const gone = { ...stamp, kind: "NamespaceDeleted", ...ofNamespace, namespaceUid: deleted };
    const value = canonical({ namespace: "payments", observed, ...(deleted !== undefined && { deleted: gone }) });
    await meta.write("namespaceMarks", namespaceMarksKey(cluster, "payments"), { value, expected: 0 });
  }
  const read: string[] = [];
  const counting: MetaStore = {
    read: (kind, key) => {
      read.push(kind);
      return meta.read(kind, key);
    },
    write: (...args) => meta.write(...args),
    list: (...args) => meta.list(...args),
  };
  return { meta: counting, read };
}

const routed = ruleOf({ toValueOf: KEY });

describe("the keys for Outlive of the CronJob and the namespace of a Job", () => {
  const both = { cronJob: { [KEY]: "team-a" }, namespace: { [KEY]: "team-b", "outlive.dev/tier": "1" } };

  it.each<[string, readonly Rule[], Around, object, Readonly<Record<string, string>>]>([
    ["the CronJob's", [ruleOf(), routed], { cronJob: marks }, { owner }, marks],
    ["the CronJob's for a selector", [ruleOf(), selecting(`${KEY}=team-a`)], { cronJob: marks }, { owner }, marks],
    ["the namespace's", [routed], { namespace: marks }, {}, marks],
    ["the namespace's for a selector", [selecting(`${KEY}=team-a`)], { namespace: marks }, {}, marks],
    ["the CronJob's first", [routed], both, { owner }, both.cronJob],
    ["the namespace's where the CronJob says nothing", [routed], { ...both, cronJob: {} }, { owner }, both.namespace],
    ["the namespace's of a run", [routed], { namespace: marks }, { kind: "Run" }, marks],
    ["none of a namespace that was deleted", [routed], { namespace: marks, deleted: "ns-1" }, {}, {}],
    [
      "those of a namespace that has the name of a deleted one",
      [routed],
      { namespace: marks, deleted: "ns-0" },
      {},
      marks,
    ],
    [
      "none without a rule that reads such keys",
      [ruleOf({ toValueOf: "team" }), selecting("team=a")],
      both,
      { owner },
      {},
    ],
    ["none of a JobSet", [routed], { cronJob: marks }, { owner: { ...owner, kind: "JobSet" } }, {}],
    [
      "none of a CronJob that was not observed",
      [routed],
      { cronJob: marks },
      { owner: { ...owner, uid: "other" } },
      {},
    ],
    ["none about a cluster", [routed], both, { kind: "Cluster", namespace: "" }, {}],
  ])("are %s", async (_, rules, around, of, expected) => {
    const { meta } = await storeOf(around);
    expect(await keysAround(meta, rules, failedJob({ namespace: "payments", ...of }))).toEqual(expected);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["nothing if the Job says all", { [KEY]: "team-c", "outlive.dev/tier": "2" }, []],
    ["the CronJob if the Job says a part", { [KEY]: "team-c" }, ["cronjob"]],
    ["both if the CronJob lacks a part", {}, ["cronjob", "namespaceMarks"]],
  ])("cost a read of %s", async (_, labels, expected) => {
    const { meta, read } = await storeOf({ ...both, cronJob: { "outlive.dev/tier": "1" } });
    const rules = [routed, selecting("outlive.dev/tier=1")];
    await keysAround(meta, rules, failedJob({ namespace: "payments", owner, labels }));
    expect(read).toEqual(expected);
  });

  it("give way to what the Job says", () => {
    const { labels } = withKeys(failedJob({ labels: { [KEY]: "team-b" } }), { ...marks, "outlive.dev/tier": "1" });
    expect(labels).toEqual({ [KEY]: "team-b", "outlive.dev/tier": "1" });
  });
});

describe("a rule that selects by what a CronJob or a namespace says", () => {
  it.each([
    [`${KEY}=team-a`, {}, true],
    [`${KEY}=team-a`, { kind: "Cluster" }, false],
    [`${KEY}=team-a,team=billing`, {}, true],
    [`${KEY}=team-a,team=other`, {}, false],
  ] as const)("may match a subject with the selector %s: %j: %s", (text, of, expected) => {
    expect(mayMatch(selecting(text), failedJob(of)) !== undefined).toBe(expected);
  });
});
