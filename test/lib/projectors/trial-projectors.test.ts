import { describe, expect, it } from "vitest";
import { statementsOf } from "../policy-evaluator.ts";
import { LIVE, type Resource, synthesise } from "../synthesised.ts";

const VERSIONS = { keepProjectors: "12,9" };
const plain = synthesise(LIVE);
const trial = synthesise({ ...LIVE, ...VERSIONS, archive: "true" });

function at(path: string): Resource {
  const found = [...trial.resources.values()].find((each) => each.path === path);
  if (found === undefined) throw new Error(`There is no ${path}.`);
  return found;
}

function versionOf(alias: string): unknown {
  return at(alias).properties["FunctionVersion"];
}

function variablesOf(path: string): Readonly<Record<string, unknown>> {
  const { Variables } = at(path).properties["Environment"] as { Variables: Readonly<Record<string, unknown>> };
  return Variables;
}

describe("a stage that keeps its projectors", () => {
  it("leaves their aliases at these versions, and publishes the new ones", () => {
    expect(versionOf("Projection/Project/Live")).toBe("12");
    expect(versionOf("Projection/Refold/Live")).toBe("9");
    const versions = [...trial.resources.values()].filter(({ type }) => type === "AWS::Lambda::Version");
    expect(versions.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "Projection/Project/Function/CurrentVersion",
        "Projection/Refold/Function/CurrentVersion",
      ]),
    );
    expect(versions.filter(({ path }) => path.startsWith("Trial/"))).toEqual([]);
    expect(trial.outputs["ProjectorVersions"]).toBe("12,9");
  });

  it("runs the new ones as a trial, with a mapping of the stream and a queue of their own", () => {
    for (const name of ["Project", "Refold"]) {
      expect(variablesOf(`Trial/${name}/Function`)).toMatchObject({ OUTLIVE_PROJECTOR: "trial" });
      expect(variablesOf(`Projection/${name}/Function`)["OUTLIVE_PROJECTOR"]).toBeUndefined();
    }
    const mappings = Object.values(trial.template.findResources("AWS::Lambda::EventSourceMapping"));
    const ofStream = mappings.filter(({ Properties }) => /LogTable\w+","StreamArn/.test(JSON.stringify(Properties)));
    expect(ofStream).toHaveLength(2);
    const [first, second] = ofStream.map(({ Properties }) => ({ ...Properties, FunctionName: "" }) as unknown);
    expect(second).toEqual(first);
    expect(variablesOf("Trial/Project/Function")["OUTLIVE_REFOLD_QUEUE_URL"]).not.toEqual(
      variablesOf("Projection/Project/Function")["OUTLIVE_REFOLD_QUEUE_URL"],
    );
  });

  it("shows the replay which versions are kept, and the audit both queues", () => {
    expect(variablesOf("Replay/Replay/Function")["OUTLIVE_KEPT_PROJECTORS"]).toBe("12,9");
    expect(variablesOf("Audit/Audit/Function")["OUTLIVE_TRIAL_REFOLD_QUEUE_URL"]).toEqual({
      Ref: expect.any(String) as unknown,
    });
  });

  it("lets the trial write Jobs, and of the records only its notes and the changes that it announces", () => {
    for (const name of ["Project", "Refold"]) {
      const statements = statementsOf(trial, `Trial/${name}/Role`);
      const writes = statements.filter(({ Action }) => [Action].flat().includes("dynamodb:PutItem"));
      // The tables of Jobs, and those of runs.
      expect(writes.map(({ Condition }) => Condition)).toEqual([
        undefined,
        undefined,
        { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["waiting", "changes#*"] } },
      ]);
      expect(JSON.stringify(writes[0]?.Resource)).not.toContain("Meta");
    }
  });

  it("deletes the queue of a trial with it, and shares the dead letters, whose alarm it has", () => {
    expect(at("Trial/Refolds/Queue").deletionPolicy).toBe("Delete");
    expect([...trial.resources.values()].filter(({ path }) => path.startsWith("Trial/Refolds/Dead"))).toEqual([]);
  });

  it("has an alarm about the trial", () => {
    const names = (each: typeof trial) =>
      [...each.resources.values()].map(({ path }) => path).filter((path) => path.startsWith("Alarms/Trial"));
    expect(names(trial)).toEqual(["Alarms/TrialFails"]);
    expect(names(plain)).toEqual([]);
  });

  it("needs the concurrency of two pairs", () => {
    const needed = (each: typeof trial) => Number(each.outputs["ConcurrencyNeeded"]);
    expect(needed(trial) - needed(synthesise({ ...LIVE, archive: "true" }))).toBe(42);
    const reserved = synthesise({ ...LIVE, ...VERSIONS, reserveConcurrency: "true", accountConcurrency: "1000" });
    reserved.template.resourcePropertiesCountIs("AWS::Lambda::Function", { ReservedConcurrentExecutions: 40 }, 3);
  });
});

describe("a stage without a trial", () => {
  it("has nothing of it, and says which versions could be kept", () => {
    expect([...plain.resources.values()].filter(({ path }) => path.startsWith("Trial"))).toEqual([]);
    expect(plain.outputs["ProjectorVersions"]).toBe("<...>,<...>");
  });
});
