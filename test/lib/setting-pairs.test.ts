import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Stack, Validations } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks } from "cdk-nag";
import type { IConstruct } from "constructs";
import { afterAll, describe, expect, it } from "vitest";
import type { CfnFunction } from "aws-cdk-lib/aws-lambda";
import { InvalidSettingsError } from "../../lib/context-values.ts";
import { OutliveFunction } from "../../lib/outlive-function.ts";
import { SETTING_NAMES } from "../../bin/setting-names.ts";
import { StageStack } from "../../bin/stage-stack.ts";
import { readSettings } from "../../lib/settings.ts";
import { variablesIn } from "../../src/ports/deployment/settings/descriptor.ts";
import { FUNCTION_SETTINGS, readFunctionSettings } from "../../src/ports/deployment/settings/function-settings.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { coveringArray } from "./covering-array.ts";
import { LIVE, PAGE_CLIENT, RULES, RULES_SECRET, unbundled } from "./synthesised.ts";

const folder = scratchFolder();
afterAll(() => folder.remove());
const LOG_LINKS = join(folder.path, "links.yaml");
writeFileSync(LOG_LINKS, "links: [{ name: Grafana, url: 'https://grafana.example.org/?pod={pod}' }]");

type Context = Readonly<Record<string, string>>;

/** Who can read. Each stage needs one of them. */
const READERS: readonly Context[] = [
  LIVE,
  {
    ...LIVE,
    ...PAGE_CLIENT,
    pageScope: "openid",
    pageToken: "id_token",
    oidcKeysUrl: "https://login.example.org/keys",
    oidcClaim: "email",
    oidcGroupsClaim: "groups",
    oidcGroupGrants: '{"sre":["*"]}',
  },
  { iamAccess: "true" },
  { disposable: "true", openMode: "true" },
  { disposable: "true", iamAccess: "true" },
];

/** Settings that need each other are one value. `{}` is the default. */
const DIMENSIONS: readonly (readonly Context[])[] = [
  READERS,
  [{}, { archive: "true" }, { archive: "true", logDays: "60" }, { archive: "true", archiveLockDays: "30" }],
  [{}, { encryption: "customer" }],
  [{}, { auditLogGroups: "eu=/aws/eks/eu/cluster,us=/aws/eks/us/cluster" }],
  [{}, { rules: RULES, rulesSecret: RULES_SECRET }],
  [{}, { keepProjectors: "12,9" }],
  [{}, { erasure: "true" }],
  [
    {},
    { backupDays: "35" },
    { backupDays: "35", backupCopyVault: "arn:aws:backup:eu-west-1:123456789012:backup-vault:copy" },
  ],
  [{}, { reserveConcurrency: "true", accountConcurrency: "1000" }],
  [{ accessLogs: "withRole" }, { accessLogs: "existingRole" }, { accessLogs: "none" }],
  [{}, { jobMetrics: "cluster" }, { jobMetrics: "none" }],
  [{}, { jobAlarms: "true" }],
  [{ canary: "true" }, { canary: "false" }],
  [{}, { senderArns: "arn:aws:iam::123456789012:role/exporter" }],
  [{}, { alarmEmail: "ops@example.org" }],
  [{}, { apiKey: "true" }],
  [{}, { tracing: "true" }],
  [{}, { tableClass: "standard" }, { tableClass: "infrequent" }],
  [{}, { backupJobs: "true" }],
  [{}, { logLinks: LOG_LINKS }],
  [{}, { foldSeconds: "2" }],
  [{}, { retentionDays: "30" }],
  [{}, { stage: "prod-2" }],
  [{}, { peakJobsPerSecond: "2350" }],
  [{}, { capacity: "provisioned" }],
  [{}, { warmWriteUnits: "8000" }],
  [{}, { requestsPerSecond: "500", webAcl: "true" }],
  [{}, { metricsMaxSeries: "100" }],
  [{}, { ingestConcurrency: "20", ingestBatchSeconds: "0", packShards: "8" }],
  [{}, { projectLanes: "1", logShards: "8" }],
  [{}, { refoldConcurrency: "4", replayConcurrency: "8", queryConcurrency: "20" }],
];

function merged(values: readonly Context[]): Context {
  return Object.assign({}, ...values) as Context;
}

function isAccepted(context: Context): boolean {
  try {
    readSettings((name) => context[name]);
    return true;
  } catch (cause) {
    if (cause instanceof InvalidSettingsError) return false;
    throw cause;
  }
}

/** Some settings of one stage, with readers of a kind that allows them if they name none. */
function isPossible(values: readonly Context[]): boolean {
  if (values.some((value) => READERS.includes(value))) return isAccepted(merged(values));
  return READERS.some((readers) => isAccepted(merged([readers, ...values])));
}

const { rows, impossible } = coveringArray(DIMENSIONS, isPossible);

function isFunction(construct: IConstruct): construct is OutliveFunction {
  return construct instanceof OutliveFunction;
}

/** The variables of a function as text: a URL or a name stands for what is known only after the deployment. */
function variablesOf(stack: Stack, { lambda }: OutliveFunction): Readonly<Record<string, string>> {
  const { variables } = stack.resolve((lambda.node.defaultChild as CfnFunction).environment) as {
    readonly variables: Readonly<Record<string, unknown>>;
  };
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, textOf(value, name)]));
}

function textOf(value: unknown, variable: string): string {
  if (typeof value === "string") return value;
  const { "Fn::Join": [, parts] = ["", undefined] } = value as { "Fn::Join"?: readonly [string, readonly unknown[]] };
  if (parts !== undefined) return parts.map((part) => textOf(part, variable)).join("");
  return /_(URL|QUEUES)$/.test(variable) ? "https://sqs.eu-central-1.amazonaws.com/123456789012/queue" : "resource";
}

describe("any two settings of a stage", () => {
  it("include every setting", () => {
    const names = DIMENSIONS.flat().flatMap((value) => Object.keys(value));
    expect(new Set(names)).toEqual(new Set(SETTING_NAMES));
  });

  it("can be combined, but for these pairs", () => {
    expect(impossible.map((pair) => pair.map((value) => JSON.stringify(value)).join(" and "))).toMatchInlineSnapshot(`
      [
        "{"disposable":"true","openMode":"true"} and {"archive":"true","archiveLockDays":"30"}",
        "{"disposable":"true","iamAccess":"true"} and {"archive":"true","archiveLockDays":"30"}",
        "{"jobMetrics":"none"} and {"jobAlarms":"true"}",
      ]
    `);
  });

  it.each(rows.map((row) => merged(row)))(
    "give a template that cdk-nag accepts, and each function all that it reads and nothing else: %j",
    (context) => {
      const app = unbundled();
      const stack = new StageStack(app, "Outlive", { context: (name) => context[name] });
      Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
      expect(() => app.synth()).not.toThrow();
      // It also throws if resources depend on each other in a cycle.
      expect(Template.fromStack(stack).findOutputs("ApiUrl")).not.toEqual({});
      const functions = stack.node.findAll().filter(isFunction);
      expect(functions.length).toBeGreaterThan(8);
      for (const each of functions) {
        const variables = variablesOf(stack, each);
        expect(() => readFunctionSettings(each.name, variables)).not.toThrow();
        const read = variablesIn(FUNCTION_SETTINGS[each.name]).map(({ variable }) => variable);
        expect(read).toEqual(expect.arrayContaining(Object.keys(variables)));
      }
    },
  );
});
