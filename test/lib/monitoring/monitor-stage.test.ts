import { Stack } from "aws-cdk-lib";
import { describe, expect, it } from "vitest";
import type { MonitoringFacade } from "../../../lib/monitoring/monitor-stage.ts";
import { Outlive } from "../../../lib/outlive.ts";
import { unbundled } from "../synthesised.ts";

/** Notes what it is asked to show. */
function facade() {
  const shown: string[] = [];
  const note = (kind: string) => () => void shown.push(kind);
  const noting: MonitoringFacade = {
    addLargeHeader: (text) => void shown.push(text),
    monitorSqsQueue: note("queue"),
    monitorLambdaFunction: note("function"),
    monitorDynamoTable: note("table"),
    monitorApiGateway: note("api"),
    monitorStepFunction: note("machine"),
  };
  return { noting, shown };
}

describe("a dashboard of cdk-monitoring-constructs", () => {
  it("shows each part of a stage, in the order of the data flow", () => {
    const { noting, shown } = facade();
    new Outlive(new Stack(unbundled(), "Stack"), "Outlive").monitor(noting);
    const counts = Map.groupBy(shown, (kind) => kind);
    expect([...counts].map(([kind, each]) => `${each.length} ${kind}`)).toEqual([
      "1 Outlive live",
      "3 queue",
      "10 function",
      "6 table",
      "1 api",
      "1 machine",
    ]);
  });
});
