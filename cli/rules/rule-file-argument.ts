import type { Environment } from "../../src/notify/receivers/secret.ts";
import { readRules } from "../../src/notify/rules/rule-file.ts";
import type { NotificationRules } from "../../src/notify/rules/rules.ts";
import { invalidFile, textOfFile } from "../options/settings-file.ts";

/** Reads a rule file. Throws CommandFailure with every problem and its path. */
export async function readRuleFile(file: string, environment: Environment): Promise<NotificationRules> {
  const read = readRules(await textOfFile(file, "Check the path."), environment);
  if (read.outcome === "read") return read.rules;
  throw invalidFile(file, read.problems);
}
