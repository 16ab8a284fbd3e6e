import { readFileSync } from "node:fs";
import { PLACEHOLDERS } from "../../src/notify/rules/placeholders.ts";
import { AwsError } from "../../src/adapters/aws/aws-error.ts";
import type { Environment } from "../../src/notify/receivers/secret.ts";
import { receiversIn, rulesIn } from "../../src/notify/rules/rule-document.ts";
import type { NotificationRules, Receiver, UnusableReceiver } from "../../src/notify/rules/rules.ts";
import { InvalidSecretError } from "../../src/adapters/secretsmanager/read-secret.ts";
import { type FileProblem, parseJson } from "../../src/ports/files/file-content.ts";

/** The rules that were deployed, without secrets. The deployment has checked them. */
export function deployedRules(path: string): NotificationRules {
  const read = rulesIn(documentIn(path), PLACEHOLDERS);
  if (read.outcome === "read") return read.rules;
  throw new DeployedRulesError(read.problems);
}

export interface ReceiversOptions {
  /** The variables that the file names. @default none */
  readonly secrets?: () => Promise<Environment>;
  readonly now: () => number;
}

/** How long an old secret may still be used after it was changed. */
const REMEMBERED_MILLIS = 5 * 60_000;
/** How long a missing secret may still be reported after it was added. */
const MISSED_MILLIS = 10_000;

/**
 * The receivers with their secrets, which are read again every five minutes. A receiver whose secret is missing has its
 * problem; the others are not affected.
 */
export function deployedReceivers(
  path: string,
  { secrets = async () => ({}), now }: ReceiversOptions,
): () => Promise<readonly (Receiver | UnusableReceiver)[]> {
  let known: { readonly receivers: readonly (Receiver | UnusableReceiver)[]; readonly until: number } | undefined;
  return async () => {
    if (known !== undefined && now() < known.until) return known.receivers;
    const receivers = usableReceivers(path, await openSecrets(secrets));
    const isComplete = receivers.every((receiver) => !("problem" in receiver));
    known = { receivers, until: now() + (isComplete ? REMEMBERED_MILLIS : MISSED_MILLIS) };
    return receivers;
  };
}

interface OpenedSecrets {
  readonly values: Environment;
  /** Why there are none. */
  readonly problem?: string;
}

async function openSecrets(secrets: () => Promise<Environment>): Promise<OpenedSecrets> {
  try {
    return { values: await secrets() };
  } catch (cause) {
    if (cause instanceof AwsError || cause instanceof InvalidSecretError) return { values: {}, problem: cause.message };
    throw cause;
  }
}

function usableReceivers(path: string, { values, problem }: OpenedSecrets): readonly (Receiver | UnusableReceiver)[] {
  const read = receiversIn(documentIn(path), values);
  if (read.outcome === "rejected") throw new DeployedRulesError(read.problems);
  return read.receivers.map((receiver) =>
    "problem" in receiver
      ? { ...receiver, problem: problem ?? `${receiver.problem} Correct the secret of the stage.` }
      : receiver,
  );
}

/** The rule file, as the deployment has written it: as JSON, because a parser of YAML is a sixth of a bundle. */
function documentIn(path: string): unknown {
  const parsed = parseJson(readFileSync(path, "utf8"));
  if ("problem" in parsed) throw new DeployedRulesError([{ path, message: parsed.problem }]);
  return parsed.value;
}

/** The file is of another release. */
class DeployedRulesError extends Error {
  override readonly name = "DeployedRulesError";

  constructor(problems: readonly FileProblem[]) {
    const texts = problems.map(({ path, message }) => `${path}: ${message}`);
    super(`The rule file cannot be used. Deploy the stage again. ${texts.join(" ")}`);
  }
}
