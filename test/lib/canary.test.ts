import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { LIVE, synthesise, type Synthesised, TRIAL } from "./synthesised.ts";

const live = synthesise(LIVE);
const GROUP = "AWS::CodeDeploy::DeploymentGroup";

interface MetricQuery {
  readonly MetricStat?: {
    readonly Period: number;
    readonly Metric: { readonly MetricName: string; readonly Dimensions: readonly { readonly Name: string }[] };
  };
}

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
      AlarmConfiguration: { Enabled: true, Alarms: [{ Name: Match.anyValue() }] },
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
    expect(alarms).toEqual(["Canary/Fails"]);
  });

  it("is watched by the failures of its alias in a minute", () => {
    const [alarm] = [...live.resources.values()].filter(({ path }) => path === "Canary/Fails");
    const metrics = (alarm?.properties["Metrics"] ?? []) as readonly MetricQuery[];
    const watched = metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat]));
    expect(alarm?.properties["Threshold"]).toBe(1);
    expect(watched.map(({ Period, Metric }) => [Metric.MetricName, Period])).toEqual([
      ["Errors", 60],
      ["Errors", 60],
      ["5XXError", 60],
    ]);
    const [query, ingest] = watched.map(({ Metric }) => Metric.Dimensions.map(({ Name }) => Name));
    expect([query, ingest]).toEqual([
      ["FunctionName", "Resource"],
      ["FunctionName", "Resource"],
    ]);
  });

  it("takes over at once on a disposable stage, and where the setting says so", () => {
    synthesise(TRIAL).template.resourceCountIs(GROUP, 0);
    synthesise({ ...LIVE, canary: "false" }).template.resourceCountIs(GROUP, 0);
    synthesise({ ...TRIAL, canary: "true" }).template.resourceCountIs(GROUP, 2);
  });

  it("has an alias without it, so that a deployment does not interrupt requests", () => {
    // Query, acknowledge and the two projectors.
    synthesise(TRIAL).template.resourceCountIs("AWS::Lambda::Alias", 4);
  });
});
