import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "./synthesised.ts";

const alarms = [...synthesise(LIVE).resources.values()].filter(({ type }) => type === "AWS::CloudWatch::Alarm");
const names = alarms.map(({ path }) => path.replace(/^Alarms\//, ""));

describe("an alarm", () => {
  it("has a runbook under its own name, and every runbook an alarm", () => {
    const operations = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
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

  it("notifies the configured address", () => {
    const { template, resources } = synthesise({ ...LIVE, alarmEmail: "ops@example.org" });
    template.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.org" });
    const sent = [...resources.values()].filter(({ properties }) => properties["AlarmActions"] !== undefined);
    expect(sent).toHaveLength(alarms.length);
  });
});
