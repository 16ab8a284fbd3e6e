import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { LIVE, synthesise, type Synthesised, TRIAL } from "./synthesised.ts";

const live = synthesise(LIVE);
const GROUP = "AWS::CodeDeploy::DeploymentGroup";

/** The constructs of a type by their paths, in order. */
function pathsOf({ resources }: Synthesised, type: string): readonly string[] {
  const constructs = [...resources.values()].filter((each) => each.type === type);
  return constructs.map(({ path }) => path).toSorted();
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

  it.each([LIVE, { ...LIVE, archive: "true" }])("is tried only of functions that run often: %j", (context) => {
    const live = synthesise(context);
    expect(pathsOf(live, GROUP)).toEqual(["Canary/Ingest", "Canary/Query"]);
    const shifted = Object.values(live.template.findResources("AWS::Lambda::Alias")).filter(
      ({ UpdatePolicy }) => UpdatePolicy !== undefined,
    );
    expect(shifted).toHaveLength(2);
    const alarms = pathsOf(live, "AWS::CloudWatch::Alarm").filter((path) => path.startsWith("Canary/"));
    expect(alarms).toEqual(["Canary/ApiFails", "Canary/IngestFails", "Canary/QueryFails"]);
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
    synthesise({ ...TRIAL, canary: "true" }).template.resourceCountIs(GROUP, 2);
  });
});
