import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { readRuleFile } from "../../../cli/rules/rule-file-argument.ts";
import { PLACEHOLDERS } from "../../../src/notify/rules/placeholders.ts";
import { urlOf } from "../../support/notify/opened-receiver.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

function fileOf(name: string, text: string): string {
  const path = join(scratch.path, name);
  writeFileSync(path, text);
  return path;
}

it("a rule file is read with placeholders for its secrets", async () => {
  const text = "rules: [{ name: a, to: [s] }]\nreceivers: [{ name: s, slack: { urlEnv: NOT_SET } }]";
  const { receivers } = await readRuleFile(fileOf("valid.yaml", text), PLACEHOLDERS);
  expect(receivers.map(urlOf)).toEqual(["https://receiver.invalid/"]);
});

const KEYS = "name, match, per, failureThreshold, recoveryThreshold, for, to, toValueOf, resolve";

it("an invalid rule file is rejected with every problem", async () => {
  const lines: string[] = [];
  const written = vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  const file = fileOf("invalid.yaml", "rules: [{ name: a, to: [x], when: 1 }]\nreceivers: []");
  await expect(readRuleFile(file, {})).rejects.toThrow("is invalid: correct the 1 problem above.");
  written.mockRestore();
  expect(lines).toEqual([`rules[0].when: Unknown key. Valid keys: ${KEYS}.\n`]);
});

it("a file that does not exist is named", async () => {
  await expect(readRuleFile(join(scratch.path, "none.yaml"), {})).rejects.toThrow(/Cannot read .*none\.yaml/);
});
