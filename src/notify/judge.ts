import { type Matched, matchRule } from "./match-rule.ts";
import type { NoticeRecord, OpenNotice } from "../ports/notices.ts";
import type { Rule } from "./rules/rules.ts";
import { conditionOf, type Subject } from "./subject.ts";

/** What a change of a subject means for one rule. */
export interface Transition {
  readonly rule: Rule;
  readonly kind: "opened" | "changed" | "resolved";
  readonly version: number;
  readonly matched: Matched;
  /** The version of the first message, to which later ones refer. */
  readonly firstVersion: number;
  /** The value of the label or annotation that names the receivers. Absent: the rule names them. */
  readonly routedBy?: string;
  /** For `resolved`: the rule requests it, or the first message named a final state that was wrong. */
  readonly isAnnounced: boolean;
}

export interface Judged {
  readonly transitions: readonly Transition[];
  /** `undefined` if nothing has to be stored. */
  readonly record?: NoticeRecord;
}

export interface JudgeInput {
  readonly subject: Subject;
  /** The subject before the change. A rule that already matched it is not new; the rules may have been added since. */
  readonly previous?: Subject | undefined;
  readonly record: NoticeRecord | undefined;
}

/**
 * The messages that rules send about a change. From the first condition that a rule matches, each new condition raises
 * the version of the record. The same condition again, in any order of facts, changes nothing.
 */
export function judge(rules: readonly Rule[], { subject, previous, record }: JudgeInput): Judged {
  const condition = conditionOf(subject, openAlerts(rules, { subject, record }));
  if (record?.condition === condition) return { transitions: [] };
  const version = (record?.version ?? 0) + 1;
  const verdicts = rules.flatMap((rule) => verdictOf(rule, { subject, previous, record, version }) ?? []);
  const transitions = verdicts.flatMap(({ transition }) => transition ?? []);
  if (record === undefined && transitions.length === 0) return { transitions };
  const open = Object.fromEntries(verdicts.flatMap(({ open: one }) => (one === undefined ? [] : [one])));
  return { transitions, record: { version, condition, open } };
}

/**
 * The rules whose alert about a series is open, and those whose trace lacks something. Without them, the condition does
 * not tell how the last runs ended, and that a trace became whole.
 */
function openAlerts(rules: readonly Rule[], { subject, record }: JudgeInput): readonly string[] {
  const open = rules.filter((rule) => {
    const isPartial = rule.traces === true && subject.trace === "partial";
    return (rule.series !== undefined || isPartial) && matchRule(rule, subject, record?.open[rule.name]?.matched);
  });
  return open.map(({ name }) => name);
}

interface RuleInput extends JudgeInput {
  readonly version: number;
}

/** The messages of one rule, and the notice that is open afterwards. */
interface RuleVerdict {
  readonly transition?: Transition;
  readonly open?: readonly [rule: string, notice: OpenNotice];
}

function verdictOf(rule: Rule, { subject, previous, record, version }: RuleInput): RuleVerdict | undefined {
  const known = record?.open[rule.name];
  const matched = matchRule(rule, subject, known?.matched);
  if (matched === undefined) return known && { transition: resolved(rule, { version, known, previous, subject }) };
  const text = JSON.stringify(matched);
  if (isMatchedBefore(rule, { previous, record }, text)) return undefined;
  const { version: firstVersion, ...first } = known ?? { version, ...routeOf(rule, subject) };
  const open = [rule.name, { ...first, version: firstVersion, matched: text }] as const;
  if (known?.matched === text) return { open };
  const kind = known === undefined ? "opened" : "changed";
  return { open, transition: { rule, kind, version, matched, firstVersion, ...routedBy(first), isAnnounced: true } };
}

function routeOf({ toValueOf }: Rule, { labels }: Subject): Pick<OpenNotice, "routedBy"> {
  if (toValueOf === undefined || !Object.hasOwn(labels, toValueOf)) return {};
  return routedBy({ routedBy: labels[toValueOf] });
}

function routedBy({ routedBy: value }: { readonly routedBy?: string | undefined }): Pick<OpenNotice, "routedBy"> {
  return value === undefined ? {} : { routedBy: value };
}

interface Ending {
  readonly version: number;
  readonly known: OpenNotice;
  readonly previous: Subject | undefined;
  readonly subject: Subject;
}

/** A trace that a rule no longer matches was corrected: the receiver has to have the correction. */
function resolved(rule: Rule, { version, known, previous, subject }: Ending): Transition {
  const isWrong = rule.traces === true ? subject.trace !== undefined : previous?.final === true;
  const isAnnounced = rule.resolve || isWrong;
  const matched = { findings: [] };
  return { rule, kind: "resolved", version, matched, firstVersion: known.version, ...routedBy(known), isAnnounced };
}

function isMatchedBefore(
  rule: Rule,
  { previous, record }: Pick<JudgeInput, "previous" | "record">,
  text: string,
): boolean {
  if (record !== undefined || previous === undefined) return false;
  const matched = matchRule(rule, previous);
  return matched !== undefined && JSON.stringify(matched) === text;
}
