import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { recordingPlaceholders } from "../../src/notify/rules/placeholders.ts";
import { rulesIn } from "../../src/notify/rules/rule-document.ts";
import type { NotificationRules } from "../../src/notify/rules/rules.ts";
import { parseYaml } from "../../src/ports/files/yaml-file.ts";
import { type Context, InvalidSettingsError, problemsText, textOf } from "../context-values.ts";

/** The rules of a stage. */
export interface NotificationSettings {
  /** The content of the rule file (docs/notifications.md) as JSON, which is deployed with the functions. */
  readonly rulesDocument: string;
  /** What it says; secrets are placeholders. */
  readonly rules: NotificationRules;
  /** The ARN of the secret with the variables that the file names, as JSON. @default the file names none */
  readonly rulesSecret?: string;
}

/** Each receiver has a queue, whose address is in the environment of the functions: at most 4 KB. */
const MOST_RECEIVERS = 20;

const FILE = { pattern: /^.+$/, form: "the path of a rule file" };
const SECRET = {
  pattern: /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+$/,
  form: "the whole ARN of a secret of Secrets Manager",
  mayBeToken: true,
};

/** Reads and checks the rule file. Throws {@link InvalidSettingsError}. */
export function notificationsOf(context: Context): NotificationSettings | undefined {
  const path = textOf(context, "rules", FILE);
  const rulesSecret = textOf(context, "rulesSecret", SECRET);
  if (path === undefined) {
    if (rulesSecret === undefined) return undefined;
    throw new InvalidSettingsError("rulesSecret has no effect without rules. Add rules=FILE, or remove it.");
  }
  const { rules, rulesDocument, secrets } = checkedRules(path);
  if (secrets.size > 0 && rulesSecret === undefined) {
    const example = JSON.stringify(Object.fromEntries([...secrets].map((name) => [name, "..."])));
    throw new InvalidSettingsError(
      `The rule file ${path} names secrets. Store ${example} in Secrets Manager, and add rulesSecret=ARN.`,
    );
  }
  const { length } = rules.receivers;
  if (length === 0 || length > MOST_RECEIVERS) {
    throw new InvalidSettingsError(
      `The rule file ${path} has ${length} receivers. A stage can have from 1 to ${MOST_RECEIVERS}.`,
    );
  }
  return { rulesDocument, rules, ...(rulesSecret !== undefined && { rulesSecret }) };
}

interface CheckedRules extends Pick<NotificationSettings, "rules" | "rulesDocument"> {
  /** The variables that the file names. */
  readonly secrets: ReadonlySet<string>;
}

function checkedRules(path: string): CheckedRules {
  const { environment, names } = recordingPlaceholders();
  const parsed = parseYaml(textIn(resolve(path)));
  if ("problem" in parsed) throw new InvalidSettingsError(`Invalid rule file ${path}. ${parsed.problem}`);
  const read = rulesIn(parsed.value, environment);
  if (read.outcome === "read") {
    return { rules: read.rules, rulesDocument: JSON.stringify(parsed.value), secrets: names };
  }
  throw new InvalidSettingsError(`Invalid rule file ${path}. ${problemsText(read.problems)}`);
}

function textIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    throw new InvalidSettingsError(`Cannot read the rule file: ${cause.message}. Check the path.`, { cause });
  }
}
