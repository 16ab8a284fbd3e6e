import { unparsed } from "../../ports/files/file-content.ts";
import { parseYaml } from "../../ports/files/yaml-file.ts";
import type { Environment } from "../receivers/secret.ts";
import { type ReadRules, rulesIn } from "./rule-document.ts";

/** Reads a rule file (YAML, or JSON). */
export function readRules(text: string, environment: Environment): ReadRules {
  const parsed = parseYaml(text);
  return "problem" in parsed ? unparsed(parsed.problem) : rulesIn(parsed.value, environment);
}
