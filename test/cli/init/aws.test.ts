import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { AWS_QUESTIONS, npmSpec, planAws } from "../../../cli/init/aws.ts";
import { collectAnswers } from "../../../cli/init/question.ts";
import { chartProblems } from "../../support/charts.ts";

const GIVEN = { clusters: "prod-eu, prod.us", image: "registry.example.org/outlive" };
const PROVIDER = "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/AB";

async function planOf(given: Readonly<Record<string, string>>) {
  const place = { folder: "outlive", outlive: "1.2.3" };
  const { files, commands } = planAws(await collectAnswers(AWS_QUESTIONS, given), place);
  return { files: new Map(files.map(({ path, text }) => [path, text])), commands };
}

async function valuesOf(given: Readonly<Record<string, string>>, cluster: string): Promise<unknown> {
  return parse((await planOf(given)).files.get(`values-${cluster}.yaml`) ?? "");
}

describe("the files for AWS", () => {
  it("are a CDK app, and values for each cluster", async () => {
    const { files } = await planOf(GIVEN);
    const app = ["package.json", "cdk.json", "app.js", ".gitignore"];
    expect([...files.keys()]).toEqual([...app, "values-prod-eu.yaml", "values-prod.us.yaml"]);
    expect(JSON.parse(files.get("package.json") ?? "")).toMatchObject({ dependencies: { outlive: "1.2.3" } });
    expect(JSON.parse(files.get("cdk.json") ?? "")).toEqual({ app: "node app.js" });
  });

  it.each([
    ["pod-identity", { networkPolicy: { credentialsFrom: ["pod-identity"] } }],
    ["irsa", {}],
    ["user", { credentialsSecret: "outlive-sender" }],
  ])("have values that the chart accepts, for exporters with %s", async (sender, own) => {
    const providers = sender === "irsa" ? { providers: `${PROVIDER},${PROVIDER}` } : {};
    const values = await valuesOf({ ...GIVEN, sender, ...providers }, "prod-eu");
    expect(values).toEqual({ cluster: "prod-eu", image: { repository: GIVEN.image }, ...own });
    const deployed = { ...(values as object), queueUrl: "https://sqs.eu-central-1.amazonaws.com/1/q" };
    expect(chartProblems("outlive-exporter", deployed)).toEqual([]);
  });
});

describe("the next commands on AWS", () => {
  it("deploy, let the exporter have the role of the first cluster, and install it", async () => {
    const { commands } = await planOf(GIVEN);
    expect(commands[0]).toBe(
      "cd outlive && npm install && npx cdk bootstrap && npx cdk deploy --outputs-file outputs.json",
    );
    expect(commands[1]).toContain("create-pod-identity-association --cluster-name prod-eu --namespace outlive");
    expect(commands[2]).toContain(
      `-f values-prod-eu.yaml --set queueUrl="$(node -p 'require("./outputs.json")["Outlive-live"].QueueUrl')"`,
    );
  });

  it("pass the role to the chart with IRSA", async () => {
    const { commands } = await planOf({ ...GIVEN, clusters: "prod", sender: "irsa", providers: PROVIDER });
    expect(commands[2]).toContain(String.raw`--set serviceAccount.annotations."eks\.amazonaws\.com/role-arn"=`);
  });

  it("register a user, whose unique id CloudFormation does not know", async () => {
    const { commands } = await planOf({ ...GIVEN, sender: "user", stage: "lab" });
    expect(commands[1]).toContain("outlive clusters register prod-eu --stage lab --principal-arn");
  });
});

describe("answers for AWS", () => {
  it.each([
    [{ image: "r/outlive" }, "Set --clusters"],
    [{ ...GIVEN, clusters: " , " }, "--clusters is invalid: write at least one name."],
    [{ ...GIVEN, clusters: "a-b,a.b" }, "--clusters is invalid: each name must differ"],
    [{ ...GIVEN, clusters: "a b" }, '--clusters is invalid: "a b" cannot be a cluster\'s name'],
    [{ ...GIVEN, sender: "key" }, "--sender is invalid: write pod-identity, irsa or user."],
    [{ ...GIVEN, sender: "irsa" }, "Set --providers"],
    [{ ...GIVEN, sender: "irsa", providers: PROVIDER }, "--providers is invalid: write one ARN for each cluster."],
    [{ ...GIVEN, sender: "irsa", providers: "oidc,x" }, '--providers is invalid: "oidc" is no ARN'],
    [{ ...GIVEN, providers: PROVIDER }, "--providers does not apply"],
    [{ ...GIVEN, clusters: "prod,outlive-doctor" }, '--clusters is invalid: "outlive-doctor" is reserved'],
    [{ ...GIVEN, image: "r.example.org/outlive:1.0" }, "--image is invalid: write REGISTRY/NAME, without tag"],
    [{ ...GIVEN, issuer: "https://x?y" }, "--issuer is invalid: write an address with https://, without a query"],
    [{ ...GIVEN, issuer: "https://x/#y" }, "--issuer is invalid: write an address with https://, without a query"],
    [{ ...GIVEN, stage: "Live" }, "--stage is invalid: write 1 to 16"],
    [{ ...GIVEN, retention: "4000" }, "--retention is invalid: write a number from 1 to 3650."],
  ])("are refused: %j", async (given, message) => {
    await expect(planOf(given)).rejects.toThrow(message);
  });
});

describe("the package for npm", () => {
  it.each([
    ["./x.tgz", `file:${resolve("x.tgz")}`],
    ["../x.tgz", `file:${resolve("../x.tgz")}`],
    ["x.tgz", `file:${resolve("x.tgz")}`],
    ["file:dist/package", `file:${resolve("dist/package")}`],
    ["/abs/x.tgz", "file:/abs/x.tgz"],
    ["file:/abs/x.tgz", "file:/abs/x.tgz"],
    ["file:///abs/x.tgz", "file:/abs/x.tgz"],
  ])("is a file of the current folder: %s", (given, written) => {
    expect(npmSpec(given)).toBe(written);
  });

  it.each(["1.2.3", "^1", "npm:@example/outlive@1", "https://example.org/x.tgz", "example/outlive"])(
    "is what npm knows by that name: %s",
    (given) => {
      expect(npmSpec(given)).toBe(given);
    },
  );
});
