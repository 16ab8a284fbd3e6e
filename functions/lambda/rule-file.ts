import { readFileSync } from "node:fs";
import { PLACEHOLDERS } from "../../src/notify/rules/placeholders.ts";
import { type Environment, readRules } from "../../src/notify/rules/rule-file.ts";
import type { NotificationRules, Receiver } from "../../src/notify/rules/rules.ts";
import type { FileProblem } from "../../src/text/yaml-file.ts";

/** The rules that were deployed, without secrets. The deployment has checked them. */
export function deployedRules(path: string): NotificationRules {
  return rulesIn(path, PLACEHOLDERS);
}

export interface ReceiversOptions {
  /** The variables that the file names. @default none */
  readonly secrets?: () => Promise<Environment>;
  readonly now: () => number;
}

/** So long after a secret was changed, the old one may still be used. */
const REMEMBERED_MILLIS = 5 * 60_000;

/** The receivers with their secrets, which are read again every five minutes. */
export function deployedReceivers(
  path: string,
  { secrets = async () => ({}), now }: ReceiversOptions,
): () => Promise<readonly Receiver[]> {
  let known: { readonly receivers: readonly Receiver[]; readonly until: number } | undefined;
  return async () => {
    if (known !== undefined && now() < known.until) return known.receivers;
    const { receivers } = rulesIn(path, await secrets());
    known = { receivers, until: now() + REMEMBERED_MILLIS };
    return receivers;
  };
}

function rulesIn(path: string, environment: Environment): NotificationRules {
  const read = readRules(readFileSync(path, "utf8"), environment);
  if (read.outcome === "read") return read.rules;
  throw new DeployedRulesError(read.problems);
}

/** A secret is missing, or the file is of another release. */
class DeployedRulesError extends Error {
  override readonly name = "DeployedRulesError";

  constructor(problems: readonly FileProblem[]) {
    const texts = problems.map(({ path, message }) => `${path}: ${message}`);
    super(`The rule file cannot be used. Add the variables to the secret of the stage. ${texts.join(" ")}`);
  }
}
