import { Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { AccountRootPrincipal, Role } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { beforeEach, describe, expect, it } from "vitest";
import { Outlive } from "../../../lib/outlive.ts";
import type { OutliveProps } from "../../../lib/outlive-props.ts";
import { unbundled } from "../synthesised.ts";

let stack: Stack;
let role: Role;
beforeEach(() => {
  stack = new Stack(unbundled(), "Batch");
  role = new Role(stack, "Role", { assumedBy: new AccountRootPrincipal() });
});
const stageWith = (props: OutliveProps = {}) => new Outlive(stack, "Outlive", props);

/** The value of a parameter, which names a role that exists only after the deployment. */
function parameter(kind: string) {
  const named = {
    Name: { "Fn::Join": ["", [`/outlive/live/${kind}/`, { "Fn::GetAtt": [Match.anyValue(), "RoleId"] }]] },
  };
  const [found] = Object.values(Template.fromStack(stack).findResources("AWS::SSM::Parameter", { Properties: named }));
  const {
    "Fn::Join": [, parts],
  } = (found as { Properties: { Value: { "Fn::Join": [string, unknown[]] } } }).Properties.Value;
  return JSON.parse(parts.map((part) => (typeof part === "string" ? part : "ARN")).join("")) as object;
}

function policies(): string {
  return JSON.stringify(Template.fromStack(stack).findResources("AWS::IAM::Policy"));
}

describe("a registered cluster", () => {
  it("is a parameter by the unique id of its sender's role, which may send", () => {
    stageWith().registerCluster("prod-eu", { role });
    expect(parameter("senders")).toEqual({ cluster: "prod-eu", arn: "ARN" });
    expect(policies()).toContain("sqs:SendMessage");
    expect(policies()).not.toContain("kms:");
  });

  it("may have a sender of another account, by its id", () => {
    stageWith().registerCluster("prod-eu", { principalId: "AROAEXAMPLEEXAMPLE12" });
    Template.fromStack(stack).hasResourceProperties("AWS::SSM::Parameter", {
      Name: "/outlive/live/senders/AROAEXAMPLEEXAMPLE12",
      Value: '{"cluster":"prod-eu"}',
    });
  });

  it("lets its role use the key of the data, through the queue only", () => {
    stageWith({ encryptionKey: new Key(stack, "Key") }).registerCluster("prod-eu", { role });
    expect(policies()).toContain('"kms:GenerateDataKey"');
    expect(policies()).toContain("kms:ViaService");
  });

  it.each(["", "prod eu", "outlive-doctor"])("cannot be called %j", (cluster) => {
    expect(() => stageWith().registerCluster(cluster, { role })).toThrow("Invalid cluster");
  });

  it.each(["outlive-prod-eu", "arn:aws:iam::123456789012:role/x", "AROAEXAMPLEEXAMPLE12:session"])(
    "has no sender %s: a name can be another principal later",
    (principalId) => {
      expect(() => stageWith().registerCluster("prod-eu", { principalId })).toThrow("Invalid principalId");
    },
  );

  it("may have a sender whose role is of another stack", () => {
    const own = new Stack(stack.node.root, "Cluster");
    const foreign = new Role(own, "Role", { assumedBy: new AccountRootPrincipal() });
    const stage = stageWith();
    stage.registerCluster("prod-eu", { role: foreign });
    stage.registerReader({ role: foreign }, ["*"]);
    Template.fromStack(own).resourceCountIs("AWS::SSM::Parameter", 2);
    expect(JSON.stringify(Template.fromStack(own).findResources("AWS::IAM::Policy"))).toContain("sqs:SendMessage");
  });

  it("has no sender whose role was imported, because nobody knows its unique id", () => {
    const imported = Role.fromRoleArn(stack, "Imported", "arn:aws:iam::123456789012:role/exporter") as Role;
    expect(() => stageWith().registerCluster("prod-eu", { role: imported })).toThrow("by its principalId instead");
  });

  it("cannot share a sender with another one", () => {
    const stage = stageWith();
    stage.registerCluster("prod-eu", { role });
    expect(() => stage.registerCluster("prod-us", { role })).toThrow(/already a Construct/i);
  });
});

describe("a registered reader", () => {
  it("is a parameter with its grants, and its role may call the API", () => {
    stageWith().registerReader({ role }, ["prod-eu/*", "staging/batch"]);
    expect(parameter("readers")).toEqual({ grants: ["prod-eu/*", "staging/batch"], arn: "ARN" });
    expect(policies()).toContain("execute-api:Invoke");
  });

  it.each([[["prod-eu"]], [[]], [["*/batch"]]])("has no grants %j", (grants) => {
    expect(() => stageWith().registerReader({ role }, grants)).toThrow("Invalid grants");
  });

  it("is refused where readers have tokens of an issuer", () => {
    const readers = { kind: "oidc", issuer: "https://login.example.org", audience: "outlive" } as const;
    expect(() => stageWith({ readers }).registerReader({ role }, ["*"])).toThrow("have grants in their tokens");
  });
});
