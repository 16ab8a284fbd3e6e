import { describe, expect, it } from "vitest";
import { LIVE, type Synthesised, synthesise } from "../synthesised.ts";

const without = synthesise({ ...LIVE, archive: "true" });
const erasable = synthesise({ ...LIVE, archive: "true", erasure: "true" });

interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Condition?: unknown;
}

function resourceAt({ resources }: Synthesised, path: string) {
  return [...resources].find(([, resource]) => resource.path === path);
}

/** The statements of a resource's policy, by their names. */
function statementsOf(properties: unknown): ReadonlyMap<string, Statement> {
  const { PolicyDocument } = properties as { PolicyDocument: { Statement: readonly Statement[] } };
  return new Map(PolicyDocument.Statement.map((statement) => [statement.Sid ?? "", statement]));
}

const roles = (stack: Synthesised) =>
  [...stack.resources.values()].flatMap(({ type, path }) => (type === "AWS::IAM::Role" ? [path] : []));
const logPolicy = (stack: Synthesised) =>
  statementsOf(resourceAt(stack, "Log/Table")?.[1].properties["ResourcePolicy"]);
const archivePolicy = (stack: Synthesised) =>
  statementsOf(resourceAt(stack, "Archive/Objects/Bucket/Policy")?.[1].properties);

const [roleId = ""] = resourceAt(erasable, "Erasure/Role") ?? [];
const ONLY_THE_ROLE = { ArnNotEquals: { "aws:PrincipalArn": [{ "Fn::GetAtt": [roleId, "Arn"] }] } };

describe("a stage without the setting erasure", () => {
  it("has no role that may erase", () => {
    expect(resourceAt(without, "Erasure/Role")).toBeUndefined();
    expect(Object.keys(without.template.findOutputs("*"))).not.toContain("ErasureRole");
    expect(resourceAt(synthesise({ ...LIVE, erasure: "false" }), "Erasure/Role")).toBeUndefined();
  });

  it("denies every change of the log to every principal", () => {
    expect(logPolicy(without).get("LogItemsAreNeverChangedOrDeleted")).toMatchObject({
      Effect: "Deny",
      Action: expect.arrayContaining(["dynamodb:UpdateItem", "dynamodb:DeleteItem"]) as unknown,
    });
    expect(logPolicy(without).get("LogItemsAreNeverChangedOrDeleted")).not.toHaveProperty("Condition");
  });

  it("denies the deletion of versions, segments and manifests of the archive to every principal", () => {
    for (const sid of ["VersionsAreNeverDeleted", "SegmentsAndManifestsAreNeverDeleted"]) {
      expect(archivePolicy(without).get(sid)).toMatchObject({ Effect: "Deny", Principal: { AWS: "*" } });
      expect(archivePolicy(without).get(sid)).not.toHaveProperty("Condition");
    }
  });
});

describe("a stage with the setting erasure", () => {
  it("has one more role, which outputs name with the buckets that it empties", () => {
    expect(roles(erasable).filter((path) => !roles(without).includes(path))).toEqual(["Erasure/Role"]);
    expect(Object.keys(erasable.outputs)).toEqual(
      expect.arrayContaining(["ErasureRole", "SetAsideBucket", "GivenUpBucket", "QueryResultsBucket"]),
    );
  });

  it("has a role that no service can assume, only principals of the account whose policies allow it", () => {
    expect(resourceAt(erasable, "Erasure/Role")?.[1].properties["AssumeRolePolicyDocument"]).toMatchObject({
      Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { AWS: expect.anything() as unknown } }],
    });
    expect(JSON.stringify(resourceAt(erasable, "Erasure/Role")?.[1].properties["AssumeRolePolicyDocument"])).toContain(
      ":root",
    );
  });

  it("admits only this role to rewrite the log, and still denies deletions to every principal", () => {
    const policy = logPolicy(erasable);
    expect(policy.get("OnlyErasuresRewrite")).toMatchObject({
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "dynamodb:UpdateItem",
      Condition: ONLY_THE_ROLE,
    });
    expect(policy.get("LogItemsAreNeverChangedOrDeleted")?.Action).not.toContain("dynamodb:UpdateItem");
    expect(policy.get("LogItemsAreNeverChangedOrDeleted")?.Action).toContain("dynamodb:DeleteItem");
    expect(policy.get("LogItemsAreNeverChangedOrDeleted")).not.toHaveProperty("Condition");
  });

  it("admits only this role to delete versions, segments and manifests of the archive", () => {
    for (const sid of ["VersionsAreNeverDeleted", "SegmentsAndManifestsAreNeverDeleted"]) {
      expect(archivePolicy(erasable).get(sid)).toMatchObject({ Effect: "Deny", Condition: ONLY_THE_ROLE });
    }
  });

  it("can be deployed without an archive", () => {
    const stack = synthesise({ ...LIVE, erasure: "true" });
    expect(Object.keys(stack.outputs)).toContain("ErasureRole");
    expect(Object.keys(stack.outputs)).not.toContain("QueryResultsBucket");
  });
});
