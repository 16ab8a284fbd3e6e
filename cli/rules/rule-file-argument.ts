import { readFile } from "node:fs/promises";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { type Environment, readRules } from "../../src/notify/rules/rule-file.ts";
import type { NotificationRules } from "../../src/notify/rules/rules.ts";
import { remark } from "../output/print-answer.ts";
import { count } from "../../src/text/sentence.ts";

/** Reads a rule file. Throws CommandFailure with every problem and its path. */
export async function readRuleFile(file: string, environment: Environment): Promise<NotificationRules> {
  const read = readRules(await textOf(file), environment);
  if (read.outcome === "read") return read.rules;
  for (const { path, message } of read.problems) remark(path === "" ? message : `${path}: ${message}`);
  throw new CommandFailure(2, `${file} is invalid: ${count(read.problems.length, "problem")}.`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    throw new CommandFailure(2, `Cannot read ${file}: ${cause.message}. Check the path.`, { cause });
  }
}
