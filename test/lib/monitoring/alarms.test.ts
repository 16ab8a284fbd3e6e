import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MONITORING } from "../../../bench/fleet/background-bill.ts";
import { LIVE, RULES, RULES_SECRET, synthesise } from "../synthesised.ts";

const WHOLE = {
  ...LIVE,
  archive: "true",
  jobAlarms: "true",
  rules: RULES,
  rulesSecret: RULES_SECRET,
  auditLogGroups: "eu=/aws/eks/eu/cluster",
  keepProjectors: "12,9",
};
// The alarms of a canary (test/lib/canary.test.ts) stop a deployment, and have no action.
const whole = synthesise(WHOLE);
const alarms = [...whole.resources.values()].filter(
  ({ type, path }) => type === "AWS::CloudWatch::Alarm" && path.startsWith("Alarms/"),
);
const names = alarms.map(({ path }) => path.replace(/^Alarms\//, ""));

interface MetricQuery {
  readonly MetricStat?: {
    readonly Metric: {
      readonly MetricName: string;
      readonly Dimensions: readonly { readonly Value: string | { readonly Ref: string } }[];
    };
  };
}

/** The metrics of these names of an alarm: their dimensions as a text. */
function dimensionsOf(properties: Readonly<Record<string, unknown>>, names: readonly string[]): readonly string[] {
  const queries = (properties["Metrics"] ?? []) as readonly MetricQuery[];
  return queries.flatMap(({ MetricStat }) => {
    if (MetricStat === undefined || !names.includes(MetricStat.Metric.MetricName)) return [];
    const values = MetricStat.Metric.Dimensions.map(({ Value }) => (typeof Value === "string" ? Value : nameOf(Value)));
    // CDK sorts dimensions by name: the operation comes before the table.
    return [values.toReversed().join(" ")];
  });
}

/** A table by its short name, and any other resource by its path. */
function nameOf({ Ref }: { readonly Ref: string }): string {
  const { path = Ref, type = "" } = whole.resources.get(Ref) ?? {};
  return type === "AWS::DynamoDB::Table" ? (/(JobsA|JobsB|RunsA|RunsB|Meta|Log)/.exec(path)?.[1] ?? path) : path;
}

describe("an alarm", () => {
  it("has a runbook under its own name, and every runbook an alarm", () => {
    const operations = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
    const [byAlarm = ""] = operations.split("\n## By alert of Prometheus\n");
    const runbooks = [...byAlarm.matchAll(/^### ([A-Z][A-Za-z]+)$/gm)].map(([, name]) => name);
    expect(new Set(runbooks)).toEqual(new Set(names));
  });

  it("is in the bill of the reference fleet, which has an archive and rules, by its metrics", () => {
    const { resources } = synthesise({ ...LIVE, archive: "true", rules: RULES, rulesSecret: RULES_SECRET });
    const metrics = [...resources.values()].flatMap(({ type, properties }) => {
      if (type !== "AWS::CloudWatch::Alarm") return [];
      const queries = (properties["Metrics"] ?? [{ MetricStat: {} }]) as readonly MetricQuery[];
      return queries.filter(({ MetricStat }) => MetricStat !== undefined);
    });
    expect(MONITORING.alarmMetrics).toBe(metrics.length);
  });

  it("names the problem and the runbook", () => {
    for (const [n, { properties }] of alarms.entries()) {
      expect(properties["AlarmDescription"]).toMatch(
        new RegExp(`\\. What to do: docs/operations\\.md, "${names[n]}"\\.$`),
      );
    }
  });

  it("is not raised without data: a stage may have no clusters", () => {
    expect(new Set(alarms.map(({ properties }) => properties["TreatMissingData"]))).toEqual(new Set(["notBreaching"]));
  });

  it("about throttles covers puts and queries of every table, which those of its indexes are", () => {
    const throttled = alarms.flatMap(({ properties }) => dimensionsOf(properties, ["ThrottledRequests"]));
    const states = ["JobsA", "JobsB", "RunsA", "RunsB"];
    const tables = ["Log", "Meta", ...states];
    const expected = tables.flatMap((table) => ["PutItem", "Query"].map((operation) => `${table} ${operation}`));
    expect(new Set(throttled)).toEqual(new Set([...expected, ...states.map((table) => `${table} GetItem`)]));
  });

  it("is about all functions of the stage that can fail unnoticed", () => {
    const functions = [...whole.resources.values()].flatMap(({ type, path }) =>
      type === "AWS::Lambda::Function" ? [path] : [],
    );
    const watched = alarms.flatMap(({ properties }) => dimensionsOf(properties, ["Errors"]));
    // The alarm ExpiryUnguarded watches the runs of the retain function.
    const expected = functions.filter((path) => path !== "Retain/Retain/Function");
    expect(new Set(watched)).toEqual(new Set(expected));
  });

  it("uses at most ten metrics, which is what CloudWatch accepts", () => {
    const counts = alarms.map(({ properties }) => ((properties["Metrics"] ?? []) as unknown[]).length);
    // The expression is one of the queries, and not one of the metrics.
    expect(Math.max(...counts)).toBeLessThanOrEqual(11);
  });

  it.each([
    ["80 % of a new account's 10 executions", LIVE, 8],
    ["80 % of the account's quota", { ...LIVE, accountConcurrency: "1000" }, 800],
    [
      "80 % of what is not reserved: a reservation counts as claimed",
      { ...LIVE, accountConcurrency: "1000", reserveConcurrency: "true" },
      Math.floor(110 + 0.8 * (1_000 - 110)),
    ],
    [
      "80 % of what is not reserved, also for a trial",
      { ...LIVE, accountConcurrency: "1000", reserveConcurrency: "true", keepProjectors: "12,9" },
      Math.floor(152 + 0.8 * (1_000 - 152)),
    ],
  ])("about concurrency is raised at %s", (_, context, threshold) => {
    synthesise(context).template.hasResourceProperties("AWS::CloudWatch::Alarm", {
      MetricName: "ClaimedAccountConcurrency",
      Threshold: threshold,
    });
  });

  it("notifies the configured address", () => {
    const { template, resources } = synthesise({ ...WHOLE, alarmEmail: "ops@example.org" });
    template.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.org" });
    const sent = [...resources.values()].filter(({ properties }) => properties["AlarmActions"] !== undefined);
    expect(sent).toHaveLength(alarms.length);
  });
});
