import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { LIVE, synthesise, TRIAL } from "./synthesised.ts";

const live = synthesise(LIVE);
const GROUP = "AWS::CodeDeploy::DeploymentGroup";

/** The constructs of a type by their paths, without the construct of the alias. */
function pathsOf(type: string): readonly string[] {
  return [...live.resources.values()].filter((each) => each.type === type).map(({ path }) => path);
}

describe("a new version", () => {
  it("gets one invocation in ten for five minutes, and is withdrawn if an alarm rings", () => {
    live.template.allResourcesProperties(GROUP, {
      DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent5Minutes",
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_REQUEST", "DEPLOYMENT_STOP_ON_ALARM"],
      },
      AlarmConfiguration: { Enabled: true, Alarms: [{ Name: Match.anyValue() }, { Name: Match.anyValue() }] },
    });
  });

  it("is tried of every function but the projectors", () => {
    expect(pathsOf(GROUP).toSorted()).toEqual(
      ["Audit", "Ingest", "Page", "Query", "Replay", "Sweep"].map((name) => `Canary/${name}`),
    );
    const shifted = Object.values(live.template.findResources("AWS::Lambda::Alias")).filter(
      ({ UpdatePolicy }) => UpdatePolicy !== undefined,
    );
    expect(shifted).toHaveLength(6);
  });

  it("is watched by the failures of its alias in a minute", () => {
    live.template.hasResourceProperties("AWS::CloudWatch::Alarm", {
      MetricName: "Errors",
      Period: 60,
      Threshold: 1,
      Dimensions: Match.arrayWith([Match.objectLike({ Name: "Resource" })]),
    });
    live.template.hasResourceProperties("AWS::CloudWatch::Alarm", { MetricName: "5XXError", Period: 60, Threshold: 1 });
  });

  it("takes over at once on a disposable stage, and where the setting says so", () => {
    synthesise(TRIAL).template.resourceCountIs(GROUP, 0);
    synthesise({ ...LIVE, canary: "false" }).template.resourceCountIs(GROUP, 0);
    synthesise({ ...TRIAL, canary: "true" }).template.resourceCountIs(GROUP, 6);
  });
});
