import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { deployedReceivers, deployedRules } from "../../../functions/lambda/rule-file.ts";
import { AwsAccessDeniedError, AwsResourceMissingError } from "../../../src/adapters/aws/aws-error.ts";
import { InvalidSecretError } from "../../../src/adapters/secretsmanager/read-secret.ts";
import { HOOK } from "../../support/notify/notified-tracker.ts";
import { urlOf } from "../../support/notify/opened-receiver.ts";

const scratch = mkdtempSync(join(tmpdir(), "outlive-rules-"));
/** A rule file as the deployment writes it. */
function deployed(name: string, yaml: string): string {
  const path = join(scratch, name);
  writeFileSync(path, JSON.stringify(parse(yaml)));
  return path;
}

const file = deployed(
  "rules.json",
  `rules: [{ name: a, to: [chat] }]
receivers: [{ name: chat, slack: { urlEnv: SLACK_URL } }]
page: "https://o.example"
`,
);
const mixed = deployed(
  "mixed.json",
  `rules: [{ name: a, to: [chat, hook] }]
receivers:
  - { name: chat, slack: { urlEnv: SLACK_URL } }
  - { name: hook, webhook: { url: "http://127.0.0.1:9/hook" } }
`,
);
const foreign = deployed("foreign.json", "rules: []\nreceivers: [{ name: a, pigeon: {} }]\n");
afterAll(() => rmSync(scratch, { recursive: true }));

describe("the deployed rules", () => {
  it("need no secrets where no message is sent", () => {
    expect(deployedRules(file)).toMatchObject({ rules: [{ name: "a" }], page: "https://o.example" });
  });

  it("have the secrets as they are, read again after five minutes", async () => {
    let now = 0;
    let reads = 0;
    const secrets = async () => {
      reads += 1;
      return { SLACK_URL: `https://slack.example/${reads}` };
    };
    const receivers = deployedReceivers(file, { secrets, now: () => now });
    expect((await receivers()).map(urlOf)).toEqual(["https://slack.example/1"]);
    now = 299_999;
    expect((await receivers()).map(urlOf)).toEqual(["https://slack.example/1"]);
    now = 300_000;
    expect((await receivers()).map(urlOf)).toEqual(["https://slack.example/2"]);
  });

  it("say which variable the secret lacks, and look again after ten seconds", async () => {
    let now = 0;
    let values: Readonly<Record<string, string>> = {};
    const receivers = deployedReceivers(mixed, { secrets: async () => values, now: () => now });
    const problem = "The variable SLACK_URL is not set. Correct the secret of the stage.";
    expect((await receivers()).map(urlOf)).toEqual([problem, urlOf(HOOK)]);
    values = { SLACK_URL: "https://slack.example/1" };
    now = 9_999;
    expect((await receivers()).map(urlOf)).toEqual([problem, urlOf(HOOK)]);
    now = 10_000;
    expect((await receivers()).map(urlOf)).toEqual(["https://slack.example/1", urlOf(HOOK)]);
  });

  it.each([
    new AwsResourceMissingError("Secret s does not exist."),
    new AwsAccessDeniedError("Secret s: access denied."),
    new InvalidSecretError("s"),
  ])("say why the secret cannot be read, where they need it: %s", async (cause) => {
    const receivers = deployedReceivers(mixed, { secrets: () => Promise.reject(cause), now: () => 0 });
    expect((await receivers()).map(urlOf)).toEqual([cause.message, urlOf(HOOK)]);
  });

  it("do not hide a bug", async () => {
    const receivers = deployedReceivers(mixed, { secrets: () => Promise.reject(new TypeError("bug")), now: () => 0 });
    await expect(receivers()).rejects.toThrow(TypeError);
  });

  it("of another release are refused", async () => {
    const receivers = deployedReceivers(foreign, { now: () => 0 });
    await expect(receivers()).rejects.toThrow(/Deploy the stage again/);
    expect(() => deployedRules(foreign)).toThrow(/Deploy the stage again/);
  });

  it("that are no JSON are refused, too", () => {
    const yaml = join(scratch, "rules.yaml");
    writeFileSync(yaml, "rules: []\nreceivers: []\n");
    expect(() => deployedRules(yaml)).toThrow(/Deploy the stage again\. .*rules\.yaml: Invalid JSON/);
  });
});
