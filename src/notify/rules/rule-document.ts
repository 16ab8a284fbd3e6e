import { isIP } from "node:net";
import { checkContent, type FileProblem, MAX_PROBLEMS } from "../../ports/files/file-content.ts";
import { RECEIVER_KINDS } from "../receivers/receiver-kinds.ts";
import type { Environment } from "../receivers/secret.ts";
import type { NotificationRules, Receiver, Rule, UnusableReceiver } from "./rules.ts";
import { type FileReceiver, type FileRule, type RuleFile, ruleFileSchema } from "./rule-schema.ts";
import { seriesProblems } from "./series-problems.ts";
import { splitRule, tracedReceivers, traceProblems } from "./trace-rules.ts";

export type ReadRules =
  | { readonly outcome: "read"; readonly rules: NotificationRules }
  | { readonly outcome: "rejected"; readonly problems: readonly FileProblem[] };

/** The rules of a parsed rule file. Secrets come from the environment: the file only names the variables. */
export function rulesIn(document: unknown, environment: Environment): ReadRules {
  const read = checkContent(document, ruleFileSchema);
  if (read.outcome === "rejected") return read;
  const { rules, receivers, maintenance, page } = read.content;
  const opened = receivers.map((receiver, index) => openReceiver(receiver, { index, environment }));
  const known = opened.flatMap((one) => ("receiver" in one ? [one.receiver] : []));
  const traced = tracedReceivers(known);
  const ofTraces = rules.flatMap((rule, index) => traceProblems(rule, index, traced));
  const ofRules = [...unknownReceivers(read.content), ...rules.flatMap(seriesProblems), ...ofTraces];
  const problems = [...duplicates(read.content), ...ofRules, ...opened.flatMap(problemsOf)];
  if (problems.length > 0) return { outcome: "rejected", problems: problems.slice(0, MAX_PROBLEMS) };
  const ruled = rules.flatMap((rule) => splitRule(ruleOf(rule), traced));
  return {
    outcome: "read",
    rules: { rules: ruled, receivers: known, maintenance, ...(page !== undefined && { page }) },
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
  const { name, group, rateLimit, allowAddresses, ...kinds } = receiver;
  const path = `receivers[${index}]`;
  const [one, ...others] = Object.entries(kinds);
  const problems = addressProblems(allowAddresses, path);
  if (one === undefined || others.length > 0) return { problems: [{ path, message: ONE_KIND }, ...problems] };
  const [kind, { isGrouping, takesTraces, open }] = one;
  const opened = open({ environment, allowAddresses });
  if ("problem" in opened) {
    const at = [path, kind, opened.at].filter((part) => part !== "").join(".");
    problems.unshift({ path: at, message: opened.problem });
  }
  if (group !== undefined && !isGrouping) problems.push({ path: `${path}.group`, message: NO_GROUPS });
  if ("problem" in opened || problems.length > 0) return { problems };
  return {
    receiver: {
      name,
      isGrouping,
      takesTraces,
      ...opened,
      ...(group && { group: { waitMillis: group.wait } }),
      ...(rateLimit && { rateLimit: { max: rateLimit.max, perMillis: rateLimit.per } }),
    },
  };
}

const ONE_KIND = `Expected exactly one of ${Object.keys(RECEIVER_KINDS).join(", ")}.`;
const NO_GROUPS = "Messages to this kind of receiver cannot be grouped. Remove `group`.";

function addressProblems(allowAddresses: readonly string[], path: string): FileProblem[] {
  return allowAddresses.flatMap((cidr, at) =>
    isCidr(cidr)
      ? []
      : [{ path: `${path}.allowAddresses[${at}]`, message: "Expected a CIDR, such as 169.254.0.0/16." }],
  );
}

function isCidr(cidr: string): boolean {
  const [address = "", bits = "", ...rest] = cidr.split("/");
  const version = isIP(address);
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
