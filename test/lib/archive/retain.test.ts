import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "../synthesised.ts";

const archived = synthesise({ ...LIVE, archive: "true", logDays: "20" });
const TABLES = ["Log/Table", "Projection/JobsA", "Projection/JobsB", "Projection/RunsA", "Projection/RunsB"];

function expiryOf(stage: ReturnType<typeof synthesise>, table: string): unknown {
  const [, found] = [...stage.resources].find(([, { path }]) => path === table) ?? [];
  return found?.properties["TimeToLiveSpecification"];
}

describe("the expiry of a stage with an archive", () => {
  it.each(TABLES)("of %s is off until the retain function lets it begin", (table) => {
    expect(expiryOf(archived, table)).toBeUndefined();
    expect(expiryOf(synthesise(LIVE), table)).toEqual({ AttributeName: "ttl", Enabled: true });
  });

  it("of records is on: they are not in the archive", () => {
    expect(expiryOf(archived, "Projection/Meta")).toEqual({ AttributeName: "ttl", Enabled: true });
  });

  it("is checked every 15 minutes", () => {
    archived.template.hasResourceProperties("AWS::Events::Rule", {
      Description: "Checks whether data may expire",
      ScheduleExpression: "rate(15 minutes)",
    });
  });

  it("of the log is known to ingest", () => {
    const environments = [...archived.resources.values()]
      .filter(({ type }) => type === "AWS::Lambda::Function")
      .map(({ properties }) => JSON.stringify(properties["Environment"]));
    expect(environments.filter((each) => each.includes('"OUTLIVE_LOG_DAYS":"20"'))).toHaveLength(1);
  });
});
