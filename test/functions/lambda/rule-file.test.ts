import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { deployedReceivers, deployedRules } from "../../../functions/lambda/rule-file.ts";

const scratch = mkdtempSync(join(tmpdir(), "outlive-rules-"));
const file = join(scratch, "rules.yaml");
writeFileSync(
  file,
  `rules: [{ name: a, to: [chat] }]
receivers: [{ name: chat, slack: { urlEnv: SLACK_URL } }]
page: "https://o.example"
`,
);
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
    expect(await receivers()).toMatchObject([{ target: { kind: "slack", url: "https://slack.example/1" } }]);
    now = 299_999;
    expect(await receivers()).toMatchObject([{ target: { url: "https://slack.example/1" } }]);
    now = 300_000;
    expect(await receivers()).toMatchObject([{ target: { url: "https://slack.example/2" } }]);
  });

  it("say which variable the secret lacks", async () => {
    const receivers = deployedReceivers(file, { now: () => 0 });
    await expect(receivers()).rejects.toThrow(/receivers\[0\]\.slack\.urlEnv: The variable SLACK_URL is not set\./);
  });
});
