import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CdkApp, cdkApp } from "../../../cli/init/cdk-app.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const MODULES = join(import.meta.dirname, "../../../node_modules");
const PROVIDER = "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/AB";
const scratch = scratchFolder();
afterAll(() => scratch.remove());

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: unknown }>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

/** The construct of this checkout, as the package exports it. Its functions are not bundled. */
const MODULE = new URL("../../../lib/outlive.ts", import.meta.url).href;
const CONSTRUCT = `export { Outlive } from ${JSON.stringify(MODULE)};`;

const POD_IDENTITY: CdkApp = {
  stage: "live",
  retentionDays: 400,
  clusters: ["prod-eu", "prod.us"],
  sender: "pod-identity",
  providers: [],
};
const OIDC = { issuer: "https://login.example.org/", audience: 'out"live' };
const APPS = {
  "pod-identity": POD_IDENTITY,
  irsa: { ...POD_IDENTITY, clusters: ["prod"], sender: "irsa", providers: [PROVIDER] },
  user: { ...POD_IDENTITY, stage: "lab", clusters: ["lab"], sender: "user", oidc: OIDC },
} as const satisfies Readonly<Record<string, CdkApp>>;

const output = (sender: string) => join(scratch.path, `${sender}.out`);

/** Runs all apps, each as the CDK does, in one process: loading the construct takes longer than the apps do. */
beforeAll(() => {
  const outlive = join(scratch.path, "node_modules/outlive");
  mkdirSync(outlive, { recursive: true });
  writeFileSync(join(outlive, "package.json"), '{"type":"module","exports":{"./cdk":"./cdk.js"}}');
  writeFileSync(join(outlive, "cdk.js"), CONSTRUCT);
  for (const name of ["aws-cdk-lib", "constructs"]) {
    symlinkSync(join(MODULES, name), join(scratch.path, "node_modules", name));
  }
  writeFileSync(join(scratch.path, "package.json"), '{"type":"module"}');
  for (const [sender, app] of Object.entries(APPS)) writeFileSync(join(scratch.path, `${sender}.js`), cdkApp(app));
  const runs = Object.keys(APPS).map(
    (sender) => `process.env.CDK_OUTDIR = ${JSON.stringify(output(sender))}; await import("./${sender}.js");`,
  );
  writeFileSync(join(scratch.path, "all.js"), runs.join("\n"));
  const env = { CDK_CONTEXT_JSON: '{"aws:cdk:bundling-stacks":[]}' };
  const { status, stderr } = spawnSync(process.execPath, ["all.js"], { cwd: scratch.path, env, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
}, 120_000);

function templateOf(sender: keyof typeof APPS): Template {
  const file = join(output(sender), `Outlive-${APPS[sender].stage}.template.json`);
  return JSON.parse(readFileSync(file, "utf8")) as Template;
}

/** The trust policies of the roles that no service of the stage has. */
function sendersIn({ Resources }: Template): readonly unknown[] {
  return Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
    Type === "AWS::IAM::Role" && id.startsWith("Exporter") ? [Properties] : [],
  );
}

/** What the parameters of registered senders contain, with `?` for what is known after the deployment. */
function registeredIn(template: Template): readonly unknown[] {
  return propertiesOf(template, "AWS::SSM::Parameter").flatMap((properties) => {
    const { Name, Value } = properties as { readonly Name: unknown; readonly Value: unknown };
    return JSON.stringify(Name).includes("/senders/") ? [JSON.parse(textOf(Value)) as unknown] : [];
  });
}

function textOf(value: unknown): string {
  const { "Fn::Join": [, parts] = ["", []] } = value as { "Fn::Join"?: readonly [string, readonly unknown[]] };
  return parts.map((part) => (typeof part === "string" ? part : "?")).join("");
}

function propertiesOf({ Resources }: Template, type: string): readonly unknown[] {
  return Object.values(Resources).flatMap((each) => (each.Type === type ? [each.Properties] : []));
}

describe("the CDK app", () => {
  it("has a role for each cluster that EKS Pod Identity can assume, registered for it", () => {
    const template = templateOf("pod-identity");
    const trust = {
      Effect: "Allow",
      Principal: { Service: "pods.eks.amazonaws.com" },
      Action: ["sts:AssumeRole", "sts:TagSession"],
    };
    const role = { AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [trust] } };
    expect(sendersIn(template)).toEqual([role, role]);
    expect(registeredIn(template)).toEqual([
      { cluster: "prod-eu", arn: "?" },
      { cluster: "prod.us", arn: "?" },
    ]);
    const named = ["QueueUrl", "ApiUrl", "Senderprodeu", "Senderprodus"];
    expect(Object.keys(template.Outputs)).toEqual(expect.arrayContaining(named));
  });

  it("lets only the exporter's service account assume the role with IRSA", () => {
    const template = templateOf("irsa");
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
    expect(sendersIn(template)).toEqual([role]);
  });

  it("has a user that may send, and tokens of an issuer for readers", () => {
    const template = templateOf("user");
    expect(propertiesOf(template, "AWS::IAM::User")).toHaveLength(1);
    expect(registeredIn(template)).toEqual([]);
    expect(JSON.stringify(propertiesOf(template, "AWS::IAM::Policy"))).toContain("sqs:SendMessage");
    expect(propertiesOf(template, "AWS::Lambda::Function")).toContainEqual(
      expect.objectContaining({
        Environment: {
          Variables: expect.objectContaining({
            OUTLIVE_OIDC_ISSUER: OIDC.issuer,
            OUTLIVE_OIDC_AUDIENCE: OIDC.audience,
          }) as unknown,
        },
      }),
    );
  });
});
