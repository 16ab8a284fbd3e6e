import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "../synthesised.ts";

const archived = synthesise({ ...LIVE, archive: "true", encryption: "customer" });

function needed({ outputs }: ReturnType<typeof synthesise>): number {
  return Number(outputs["ConcurrencyNeeded"]);
}

describe("the archive of a stage", () => {
  it("is written by a function every quarter of an hour, and a failed run is not repeated", () => {
    archived.template.hasResourceProperties("AWS::Events::Rule", {
      Description: "Archives the hours that have closed",
      ScheduleExpression: "rate(15 minutes)",
      Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0 } }],
    });
  });

  it("is named by outputs, which a stage without an archive does not have", () => {
    expect(Object.keys(archived.outputs)).toEqual(expect.arrayContaining(["ArchiveBucket", "ArchiveFunction"]));
    expect(Object.keys(synthesise(LIVE).outputs)).not.toContain("ArchiveBucket");
  });

  it("needs two more concurrent executions", () => {
    expect(needed(archived)).toBe(needed(synthesise(LIVE)) + 2);
  });

  it("has alarms", () => {
    const alarms = [...archived.resources.values()].filter(({ path }) => path.startsWith("Alarms/Archive"));
    expect(alarms.map(({ path }) => path)).toEqual(["Alarms/ArchiveLags", "Alarms/ArchiveDamaged"]);
    const [lags, damaged] = alarms.map(({ properties }) => properties);
    expect(JSON.stringify(lags?.["Metrics"])).toContain(
      "IF(FILL(m0, 0) >= 10800, 1, 0) + IF(FILL(m1, 0) >= 21600, 1, 0)",
    );
    expect(damaged).toMatchObject({ MetricName: "ArchiveProblems", Threshold: 1 });
  });
});
