import { Match, Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { StageStack } from "../../bin/stage-stack.ts";
import { InvalidSettingsError } from "../../lib/context-values.ts";
import { LIVE, synthesise, TRIAL, unbundled } from "../lib/synthesised.ts";

function stackWith(context: Readonly<Record<string, string>>): StageStack {
  return new StageStack(unbundled(), "Outlive", { context: (name) => context[name] });
}

describe("the stack of a stage", () => {
  it.each([
    ["an unknown kind of encryption", { encryption: "rot13" }, "Invalid encryption"],
    ["an alarm address that is not an email address", { alarmEmail: "ops" }, "Invalid alarmEmail"],
    ["a sender that is no ARN", { senderArns: "outlive-prod-eu" }, "Invalid senderArns"],
    ["a vault that is no ARN", { backupDays: "35", backupCopyVault: "copies" }, "Invalid backupCopyVault"],
    ["a duration that is no number of days", { retentionDays: "long" }, "Invalid retentionDays"],
    ["a stage without readers", { oidcIssuer: "", oidcAudience: "" }, "No reader is configured"],
  ])("refuses %s", (_, context, message) => {
    expect(() => stackWith({ ...LIVE, ...context })).toThrow(InvalidSettingsError);
    expect(() => stackWith({ ...LIVE, ...context })).toThrow(message);
  });

  it("has the addresses of the stage as outputs", () => {
    const outputs = Object.keys(Template.fromStack(stackWith(TRIAL)).findOutputs("*"));
    expect(outputs).toEqual(expect.arrayContaining(["ApiUrl", "PageUrl", "QueueUrl", "QueueArn"]));
  });

  it("sends alarms to an address, by a topic that accepts TLS only", () => {
    const { template } = synthesise({ ...LIVE, alarmEmail: "ops@example.org" });
    template.hasResourceProperties("AWS::SNS::Subscription", { Endpoint: "ops@example.org", Protocol: "email" });
    template.hasResourceProperties("AWS::CloudWatch::Alarm", { AlarmActions: [Match.anyValue()] });
  });

  it("keeps Jobs for as many days as the settings say", () => {
    const { template } = synthesise({ ...LIVE, retentionDays: "30" });
    template.hasResourceProperties("AWS::Lambda::Function", {
      Environment: { Variables: Match.objectLike({ OUTLIVE_RETENTION_DAYS: "30" }) },
    });
  });
});
