import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { InvalidSettingsError } from "../../../lib/context-values.ts";
import { notificationsOf } from "../../../lib/notify/notification-settings.ts";
import { RULES, RULES_SECRET } from "../synthesised.ts";

const scratch = mkdtempSync(join(tmpdir(), "outlive-rules-"));
afterAll(() => rmSync(scratch, { recursive: true }));

function file(text: string, name = "rules.yaml"): string {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

function read(context: Readonly<Record<string, unknown>>) {
  return notificationsOf((name) => context[name]);
}

const HOOK = '{ name: a, webhook: { url: "https://a.example/" } }';

describe("the notifications of a stage", () => {
  it("are none by default", () => {
    expect(read({})).toBeUndefined();
  });

  it("are a rule file, and the secret with what it names", () => {
    const settings = read({ rules: RULES, rulesSecret: RULES_SECRET });
    expect(settings).toMatchObject({ rulesSecret: RULES_SECRET });
    expect(JSON.parse(settings?.rulesDocument ?? "")).toMatchObject({
      receivers: [{ name: "hook" }, {}, {}, {}, {}, {}, {}],
    });
    expect(settings?.rules.receivers).toHaveLength(7);
  });

  it("need no secret if the file names none", () => {
    expect(read({ rules: file(`rules: []\nreceivers: [${HOOK}]`) })).not.toHaveProperty("rulesSecret");
  });

  it.each([
    ["a file that is not there", { rules: "/nowhere/rules.yaml" }, /^Cannot read the rule file: .*ENOENT/],
    [
      "an invalid file",
      { rules: file("rules: [{}]", "invalid.yaml") },
      /^Invalid rule file .*rules\[0\]\.name: Missing\./,
    ],
    ["a file that is no YAML", { rules: file("rules: [", "broken.yaml") }, /^Invalid rule file .*Invalid YAML/],
    ["a secret without a file", { rulesSecret: RULES_SECRET }, /has no effect without rules/],
    ["a secret by its name", { rules: RULES, rulesSecret: "outlive" }, /^Invalid rulesSecret "outlive"\. Expected the/],
    ["no secret for a file that names some", { rules: RULES }, /Store \{"HOOK_SECRET":"\.\.\.","SLACK_URL":"\.\.\."/],
  ])("reject %s", (_, context, message) => {
    expect(() => read(context)).toThrow(InvalidSettingsError);
    expect(() => read(context)).toThrow(message);
  });

  it.each([0, 21])("reject a file with %d receivers", (count) => {
    const receivers = Array.from({ length: count }, (_, n) => HOOK.replace("name: a", `name: a${n}`));
    const rules = file(`rules: []\nreceivers: [${receivers.join(", ")}]`);
    expect(() => read({ rules })).toThrow(`has ${count} receivers. A stage can have from 1 to 20.`);
  });
});
