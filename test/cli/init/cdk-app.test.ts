import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type CdkApp, cdkApp } from "../../../cli/init/cdk-app.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const MODULES = join(import.meta.dirname, "../../../node_modules");
const PROVIDER = "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/AB";
const POD_IDENTITY: CdkApp = {
  stage: "live",
  retentionDays: 400,
  clusters: ["prod-eu", "prod.us"],
  sender: "pod-identity",
  providers: [],
};
const scratch = scratchFolder();
afterAll(() => scratch.remove());

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: unknown }>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

/** The part of the construct that the app uses, without the stage. It prints how it was called. */
const CONSTRUCT = `
import { Construct } from "constructs";
import { Queue } from "aws-cdk-lib/aws-sqs";
export class Outlive extends Construct {
  constructor(scope, id, { retention, ...props }) {
    super(scope, id);
    this.queue = new Queue(this, "Queue");
    this.api = { url: "https://api.example.org/" };
    console.log(JSON.stringify({ ...props, days: retention.toDays() }));
  }
  grantSend(grantee) { this.queue.grantSendMessages(grantee); console.log(JSON.stringify(["send", grantee.node.id])); }
  registerCluster(cluster, { role }) { this.grantSend(role); console.log(JSON.stringify(["register", cluster])); }
}`;

/** Runs an app as the CDK does: its template, and the calls of the construct. */
function synthesise(app: CdkApp): { readonly template: Template; readonly calls: readonly unknown[] } {
  const folder = join(scratch.path, `${app.stage}-${app.sender}`);
  const outlive = join(folder, "node_modules/outlive");
  mkdirSync(outlive, { recursive: true });
  writeFileSync(join(outlive, "package.json"), '{"type":"module","exports":{"./cdk":"./cdk.js"}}');
  writeFileSync(join(outlive, "cdk.js"), CONSTRUCT);
  for (const name of ["aws-cdk-lib", "constructs"]) {
    symlinkSync(join(MODULES, name), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "app.js"), cdkApp(app));
  const env = { CDK_OUTDIR: join(folder, "cdk.out") };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["app.js"], { cwd: folder, env, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const template = readFileSync(join(folder, `cdk.out/Outlive-${app.stage}.template.json`), "utf8");
  const calls = stdout.trimEnd().split("\n");
  return { template: JSON.parse(template) as Template, calls: calls.map((line) => JSON.parse(line) as unknown) };
}

function propertiesOf({ Resources }: Template, type: string): readonly unknown[] {
  return Object.values(Resources).flatMap((each) => (each.Type === type ? [each.Properties] : []));
}

describe("the CDK app", { timeout: 60_000 }, () => {
  it("has a role for each cluster that EKS Pod Identity can assume, registered for it", () => {
    const { template, calls } = synthesise(POD_IDENTITY);
    const trust = {
      Effect: "Allow",
      Principal: { Service: "pods.eks.amazonaws.com" },
      Action: ["sts:AssumeRole", "sts:TagSession"],
    };
    const role = { AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [trust] } };
    expect(propertiesOf(template, "AWS::IAM::Role")).toEqual([role, role]);
    expect(calls).toEqual([
      { stage: "live", days: 400 },
      ["send", "Exporterprodeu"],
      ["register", "prod-eu"],
      ["send", "Exporterprodus"],
      ["register", "prod.us"],
    ]);
    expect(Object.keys(template.Outputs)).toEqual(["QueueUrl", "ApiUrl", "Senderprodeu", "Senderprodus"]);
  });

  it("lets only the exporter's service account assume the role with IRSA", () => {
    const { template } = synthesise({ ...POD_IDENTITY, clusters: ["prod"], sender: "irsa", providers: [PROVIDER] });
    const issuer = "oidc.eks.eu-central-1.amazonaws.com/id/AB";
    const trust = {
      Effect: "Allow",
      Principal: { Federated: PROVIDER },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: {
        StringEquals: {
          [`${issuer}:aud`]: "sts.amazonaws.com",
          [`${issuer}:sub`]: "system:serviceaccount:outlive:outlive-exporter",
        },
      },
    };
    const role = { AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [trust] } };
    expect(propertiesOf(template, "AWS::IAM::Role")).toEqual([role]);
  });

  it("has a user that may send, and tokens of an issuer for readers", () => {
    const oidc = { issuer: 'https://login.example.org/"x', audience: "outlive" };
    const { template, calls } = synthesise({ ...POD_IDENTITY, stage: "lab", clusters: ["lab"], sender: "user", oidc });
    expect(propertiesOf(template, "AWS::IAM::User")).toHaveLength(1);
    expect(calls).toEqual([{ stage: "lab", readers: { kind: "oidc", ...oidc }, days: 400 }, ["send", "Exporterlab"]]);
  });
});
