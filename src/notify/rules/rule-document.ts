import { isIP } from "node:net";
import { checkContent, type FileProblem, MAX_PROBLEMS } from "../../ports/files/file-content.ts";
import type { NotificationRules, Receiver, ReceiverTarget, Rule, UnusableReceiver } from "./rules.ts";
import { type FileReceiver, type FileRule, type RuleFile, ruleFileSchema } from "./rule-schema.ts";
import { seriesProblems } from "./series-problems.ts";

export type ReadRules =
  | { readonly outcome: "read"; readonly rules: NotificationRules }
  | { readonly outcome: "rejected"; readonly problems: readonly FileProblem[] };

export type Environment = Readonly<Record<string, string | undefined>>;

/** The rules of a parsed rule file. Secrets come from the environment: the file only names the variables. */
export function rulesIn(document: unknown, environment: Environment): ReadRules {
  const read = checkContent(document, ruleFileSchema);
  if (read.outcome === "rejected") return read;
  const { rules, receivers, maintenance, page } = read.content;
  const opened = receivers.map((receiver, index) => openReceiver(receiver, { index, environment }));
  const ofRules = [...unknownReceivers(read.content), ...rules.flatMap(seriesProblems)];
  const problems = [...duplicates(read.content), ...ofRules, ...opened.flatMap(problemsOf)];
  if (problems.length > 0) return { outcome: "rejected", problems: problems.slice(0, MAX_PROBLEMS) };
  const known = opened.flatMap((one) => ("receiver" in one ? [one.receiver] : []));
  return {
    outcome: "read",
    rules: { rules: rules.map(ruleOf), receivers: known, maintenance, ...(page !== undefined && { page }) },
  };
}

export type ReadReceivers =
  | { readonly outcome: "read"; readonly receivers: readonly (Receiver | UnusableReceiver)[] }
  | { readonly outcome: "rejected"; readonly problems: readonly FileProblem[] };

/**
 * The receivers of a file that was checked before. A receiver whose secret is missing has its problem; the others are
 * usable.
 */
export function receiversIn(document: unknown, environment: Environment): ReadReceivers {
  const read = checkContent(document, ruleFileSchema);
  if (read.outcome === "rejected") return read;
  const receivers = read.content.receivers.map((receiver, index) => {
    const opened = openReceiver(receiver, { index, environment });
    if ("receiver" in opened) return opened.receiver;
    return { name: receiver.name, problem: opened.problems.map(({ message }) => message).join(" ") };
  });
  return { outcome: "read", receivers };
}

function duplicates({ rules, receivers }: RuleFile): readonly FileProblem[] {
  return [...repeated("rules", rules), ...repeated("receivers", receivers)];
}

function repeated(list: string, named: readonly { readonly name: string }[]): readonly FileProblem[] {
  const seen = new Set<string>();
  return named.flatMap(({ name }, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: `${list}[${index}].name`, message: `The name ${JSON.stringify(name)} is used twice.` }];
  });
}

function unknownReceivers({ rules, receivers }: RuleFile): readonly FileProblem[] {
  const known = new Set(receivers.map(({ name }) => name));
  const named = new Set(rules.map(({ name }) => name));
  return rules.flatMap(({ to }, rule) =>
    to.flatMap((name, index) =>
      known.has(name) ? [] : [{ path: `rules[${rule}].to[${index}]`, message: noReceiver(name, named) }],
    ),
  );
}

function noReceiver(name: string, rules: ReadonlySet<string>): string {
  const hint = rules.has(name) ? " A rule cannot send to another rule." : "";
  return `There is no receiver ${JSON.stringify(name)}.${hint}`;
}

function ruleOf(rule: FileRule): Rule {
  const { name, match, for: forMillis, to, toValueOf, per, failureThreshold = 1, recoveryThreshold = 1 } = rule;
  const { states = [], findings = [], ...places } = match;
  const { resolve = per === "series" } = rule;
  return {
    name,
    match: { ...places, states, findings },
    forMillis,
    to: [...new Set(to)],
    ...(toValueOf !== undefined && { toValueOf }),
    resolve,
    ...(per === "series" && { series: { failureThreshold, recoveryThreshold } }),
  };
}

type Opened = { readonly receiver: Receiver } | { readonly problems: readonly FileProblem[] };

function problemsOf(opened: Opened): readonly FileProblem[] {
  return "problems" in opened ? opened.problems : [];
}

interface Opening {
  readonly index: number;
  readonly environment: Environment;
}

function openReceiver(receiver: FileReceiver, { index, environment }: Opening): Opened {
  const { name, group, rateLimit, allowAddresses } = receiver;
  const path = `receivers[${index}]`;
  const target = targetOf(receiver, environment);
  const problems: FileProblem[] = [];
  if ("problem" in target) problems.push({ path: `${path}${target.at}`, message: target.problem });
  if (group !== undefined && receiver.slack === undefined) {
    problems.push({ path: `${path}.group`, message: "Only messages to Slack are grouped." });
  }
  for (const [at, cidr] of allowAddresses.entries()) {
    if (isCidr(cidr)) continue;
    problems.push({ path: `${path}.allowAddresses[${at}]`, message: "Expected a CIDR, such as 169.254.0.0/16." });
  }
  if ("problem" in target || problems.length > 0) return { problems };
  return {
    receiver: {
      name,
      target,
      allowAddresses,
      ...(group && { group: { waitMillis: group.wait } }),
      ...(rateLimit && { rateLimit: { max: rateLimit.max, perMillis: rateLimit.per } }),
    },
  };
}

type Target = ReceiverTarget | { readonly problem: string; readonly at: string };

const PAGERDUTY_EVENTS = "https://events.pagerduty.com/v2/enqueue";

function targetOf(receiver: FileReceiver, environment: Environment): Target {
  const { webhook, slack, pagerduty, eventbridge, sns, email } = receiver;
  const kinds = [webhook, slack, pagerduty, eventbridge, sns, email].filter((kind) => kind !== undefined);
  if (kinds.length !== 1) return { at: "", problem: ONE_KIND };
  if (eventbridge !== undefined) return { kind: "eventbridge", ...eventbridge };
  if (sns !== undefined) return { kind: "sns", ...sns };
  if (email !== undefined) return { kind: "email", ...email };
  return httpTargetOf(receiver, environment);
}

const ONE_KIND = "Expected exactly one of webhook, slack, pagerduty, eventbridge, sns and email.";

function httpTargetOf({ webhook, slack, pagerduty }: FileReceiver, environment: Environment): Target {
  if (slack !== undefined) {
    const url = secretUrl(slack.urlEnv, environment, ".slack.urlEnv");
    return typeof url === "string" ? { kind: "slack", url } : url;
  }
  if (pagerduty !== undefined) {
    const routingKey = secretOf(pagerduty.keyEnv, environment, ".pagerduty.keyEnv");
    const { url = PAGERDUTY_EVENTS } = pagerduty;
    return typeof routingKey === "string" ? { kind: "pagerduty", url, routingKey } : routingKey;
  }
  return webhookOf(webhook ?? {}, environment);
}

function webhookOf(webhook: NonNullable<FileReceiver["webhook"]>, environment: Environment): Target {
  const { url: written, urlEnv, secretEnv } = webhook;
  if ((written === undefined) === (urlEnv === undefined)) {
    return { at: ".webhook", problem: "Expected either url or urlEnv." };
  }
  const url = urlEnv === undefined ? written : secretUrl(urlEnv, environment, ".webhook.urlEnv");
  if (typeof url !== "string") return url ?? { at: ".webhook", problem: "Expected either url or urlEnv." };
  if (secretEnv === undefined) return { kind: "webhook", url };
  const secret = secretOf(secretEnv, environment, ".webhook.secretEnv");
  return typeof secret === "string" ? { kind: "webhook", url, secret } : secret;
}

type Secret = string | { readonly problem: string; readonly at: string };

function secretOf(variable: string, environment: Environment, at: string): Secret {
  const value = environment[variable];
  // `process.env.constructor` is a function.
  return typeof value !== "string" || value === "" ? { at, problem: `The variable ${variable} is not set.` } : value;
}

/** The value is a secret, so no problem contains it. */
function secretUrl(variable: string, environment: Environment, at: string): Secret {
  const value = secretOf(variable, environment, at);
  if (typeof value !== "string") return value;
  const isUrl = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isUrl ? value : { at, problem: `The value of ${variable} is not an http or https URL.` };
}

function isCidr(cidr: string): boolean {
  const [address = "", bits = "", ...rest] = cidr.split("/");
  const version = isIP(address);
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
