import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { JOBS_SCHEMA } from "../../../src/ports/deployment/tables.ts";
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
const alarms = [...synthesise(WHOLE).resources.values()].filter(
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

/** The metrics of an alarm as `name table index`. */
function dimensionsOf(properties: Readonly<Record<string, unknown>>, names: readonly string[]): readonly string[] {
  const queries = (properties["Metrics"] ?? []) as readonly MetricQuery[];
  return queries.flatMap(({ MetricStat }) => {
    if (MetricStat === undefined || !names.includes(MetricStat.Metric.MetricName)) return [];
    const values = MetricStat.Metric.Dimensions.map(({ Value }) =>
      typeof Value === "string" ? Value : tableOf(Value),
    );
    // CDK sorts dimensions by name: the index comes before the table.
    return [[MetricStat.Metric.MetricName, ...values.toReversed()].join(" ")];
  });
}

function tableOf({ Ref }: { readonly Ref: string }): string {
  return /(JobsA|JobsB|Meta|Log)/.exec(Ref)?.[1] ?? Ref;
}

describe("an alarm", () => {
  it("has a runbook under its own name, and every runbook an alarm", () => {
    const operations = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
    const runbooks = [...operations.matchAll(/^### ([A-Z][A-Za-z]+)$/gm)].map(([, name]) => name);
    expect(new Set(runbooks)).toEqual(new Set(names));
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

  it("about throttles covers every table, and every index by its own dimension", () => {
    const throttled = new Set(
      alarms.flatMap(({ properties }) => dimensionsOf(properties, ["ReadThrottleEvents", "WriteThrottleEvents"])),
    );
    const tables = ["Log", "JobsA", "JobsB", "Meta"];
    const events = ["ReadThrottleEvents", "WriteThrottleEvents"];
    const indexes = JOBS_SCHEMA.indexes.map(({ name }) => name);
    expect(throttled).toEqual(
      new Set(
        events.flatMap((event) => [
          ...tables.map((table) => `${event} ${table}`),
          ...["JobsA", "JobsB"].flatMap((table) => indexes.map((index) => `${event} ${table} ${index}`)),
        ]),
      ),
    );
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
