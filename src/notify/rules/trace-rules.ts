import type { FileProblem } from "../../ports/files/file-content.ts";
import { openOtlp } from "../receivers/otlp.ts";
import type { Environment, ReceiverProblem } from "../receivers/secret.ts";
import type { FileRule } from "./rule-schema.ts";
import type { NotificationRules, Receiver, Rule } from "./rules.ts";

/** A run that fails stops its Pods. Their grace period is 30 seconds by default, so that most have ended by then. */
const SETTLING_MILLIS = 60_000;

type Traced = ReadonlySet<string>;

/** The names of the receivers that get traces. */
export function tracedReceivers(receivers: readonly Pick<Receiver, "name" | "takesTraces">[]): Traced {
  return new Set(receivers.filter(({ takesTraces }) => takesTraces).map(({ name }) => name));
}

/**
 * A rule of a file sends messages, traces or both, as its receivers want it. Messages and traces are due at different
 * times, so that each has a rule of its own. No rule of a file has the name of the one for traces.
 */
export function splitRule(rule: Rule, traced: Traced): readonly Rule[] {
  const isRouted = rule.toValueOf !== undefined && traced.size > 0;
  const sendsTraces = isRouted || rule.to.some((name) => traced.has(name));
  if (!sendsTraces || rule.series !== undefined) return [rule];
  const forTraces = traceRule(rule, `${rule.name}${SUFFIX}`);
  const sendsMessages = rule.toValueOf !== undefined || rule.to.some((name) => !traced.has(name));
  return sendsMessages ? [rule, forTraces] : [forTraces];
}

const SUFFIX = ".traces";

/** How many rules a file has. */
export function fileRules({ rules }: NotificationRules): number {
  const names = rules.filter(({ name }) => name !== OPTION).map(({ name }) => name.replace(SUFFIX, ""));
  return new Set(names).size;
}

function traceRule(rule: Rule, name: string): Rule {
  return { ...rule, name, forMillis: Math.max(SETTLING_MILLIS, rule.forMillis), resolve: false, traces: true };
}

/** The problems of rules about series that name receivers of traces: a series has no trace. */
export function traceProblems({ per, to }: FileRule, rule: number, traced: Traced): readonly FileProblem[] {
  if (per === undefined) return [];
  return to.flatMap((name, index) =>
    traced.has(name) ? [{ path: `rules[${rule}].to[${index}]`, message: NO_TRACES }] : [],
  );
}

const NO_TRACES =
  "This receiver gets traces of runs, and a rule with `per: series` is about CronJobs. Remove it from this rule.";

/** The rule and the receiver of `outlive serve --otlp`. No rule or receiver of a file has this name. */
const OPTION = "--otlp";

export interface OtlpOption {
  readonly url: string;
  readonly environment: Environment;
}

/** The headers for the receiver of `--otlp`. */
const HEADERS = "OUTLIVE_OTLP_HEADERS";

/** Rules that send a trace of every run, too. */
export function withTraces(
  rules: NotificationRules,
  { url, environment }: OtlpOption,
): NotificationRules | ReceiverProblem {
  const headers = environment[HEADERS] === undefined ? {} : { headersEnv: HEADERS };
  const opened = openOtlp({ url, ...headers }, { environment, allowAddresses: [] });
  if ("problem" in opened) return opened;
  const all = { name: OPTION, match: { states: [], findings: [] }, forMillis: 0, to: [OPTION], resolve: false };
  const receiver: Receiver = { name: OPTION, isGrouping: false, takesTraces: true, ...opened };
  return {
    ...rules,
    rules: [...rules.rules, traceRule(all, OPTION)],
    receivers: [...rules.receivers, receiver],
  };
}
