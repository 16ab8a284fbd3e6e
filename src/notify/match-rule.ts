import { matchesLabels } from "../query/list/label-selector.ts";
import { matchesGlob } from "../job/text/glob.ts";
import type { Maintenance, Rule, SubjectPatterns } from "./rules/rules.ts";
import { isSeriesFailing } from "./series-alert.ts";
import type { Subject } from "./subject.ts";

/** Why a rule matches: the state with its cause, and the findings that the rule names. */
export interface Matched {
  readonly state?: string;
  readonly reason?: string;
  readonly cause?: string;
  readonly findings: readonly string[];
  /** The last runs of the series failed. */
  readonly series?: "failing";
  readonly trace?: Subject["trace"];
}

const SERIES_FAILING: Matched = { findings: [], series: "failing" };

/** Why a rule matches a subject; `undefined` if it does not. `before` is what it matched the last time, as text. */
export function matchRule({ match, series, traces }: Rule, subject: Subject, before?: string): Matched | undefined {
  if (!isAbout(match, subject)) return undefined;
  if (series !== undefined) {
    const wasOpen = before === JSON.stringify(SERIES_FAILING);
    return subject.runs && isSeriesFailing(subject.runs, series, wasOpen) ? SERIES_FAILING : undefined;
  }
  if (traces === true) return matchTrace(match, subject);
  const state = matchState(match, subject);
  const findings = matchFindings(match, subject);
  return state === undefined && findings.length === 0 ? undefined : { ...state, findings };
}

function isAbout(match: Rule["match"], subject: Subject): boolean {
  const isPlace = isWithin(match, subject) && hasOwner(match.owners, subject);
  return isPlace && (match.selector === undefined || matchesLabels(match.selector, subject.labels));
}

/**
 * What the trace of a run shows: with another state, cause or finding it is sent again. A rule without states and
 * findings is about every run.
 */
function matchTrace(match: Rule["match"], subject: Subject): Matched | undefined {
  const { state, reason, cause, findings, trace } = subject;
  if (trace === undefined) return undefined;
  const isNamed = match.states.some((wanted) => wanted === state) || matchFindings(match, subject).length > 0;
  if (!isOpen(match) && !isNamed) return undefined;
  const kinds = [...new Set(findings.map(({ kind }) => kind))].toSorted();
  return {
    ...(state !== undefined && { state }),
    ...(reason !== undefined && { reason }),
    ...(cause !== undefined && { cause }),
    findings: kinds,
    trace,
  };
}

/** A rule without states and findings matches every problem. */
function isOpen({ states, findings }: Rule["match"]): boolean {
  return states.length === 0 && findings.length === 0;
}

function matchState(match: Rule["match"], subject: Subject): Omit<Matched, "findings"> | undefined {
  const { state, reason, cause } = subject;
  if (state === undefined || !(isOpen(match) ? state === "Failed" : match.states.some((wanted) => wanted === state))) {
    return undefined;
  }
  return { state, ...(reason !== undefined && { reason }), ...(cause !== undefined && { cause }) };
}

function matchFindings(match: Rule["match"], { findings }: Subject): readonly string[] {
  const kinds = [...new Set(findings.map(({ kind }) => kind))].toSorted();
  return isOpen(match) ? kinds : kinds.filter((kind) => match.findings.includes(kind));
}

/** Whether a subject is in a maintenance interval at an instant. */
export function maintenanceOf(
  intervals: readonly Maintenance[],
  subject: Subject,
  now: number,
): Maintenance | undefined {
  return intervals.find((interval) => interval.from <= now && now < interval.to && isWithin(interval, subject));
}

function isWithin({ clusters, namespaces, names }: SubjectPatterns, { cluster, namespace, name }: Subject): boolean {
  return isAny(clusters, cluster) && isAny(namespaces, namespace) && isAny(names, name);
}

function isAny(patterns: readonly string[] | undefined, text: string): boolean {
  return patterns === undefined || patterns.some((pattern) => matchesGlob(pattern, text));
}

/** As an owner, a CronJob is matched by its own name, like its Jobs. */
function hasOwner(owners: readonly string[] | undefined, { kind, name, owner }: Subject): boolean {
  if (owners === undefined) return true;
  const of = kind === "CronJob" ? { kind, name } : owner;
  if (of === undefined) return false;
  return owners.some((pattern) => matchesGlob(pattern, pattern.includes("/") ? `${of.kind}/${of.name}` : of.name));
}
