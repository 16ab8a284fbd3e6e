import { pageLink } from "../job/text/page-link.ts";
import { shortText } from "../job/text/short-text.ts";
import type { Transition } from "./judge.ts";
import type { Notification } from "./notification.ts";
import { lastRunsText } from "./series-alert.ts";
import type { Subject, SubjectFinding } from "./subject.ts";

/** The identity of a delivery. */
export function deliveryKey(
  subject: Pick<Subject, "uid">,
  version: number,
  to: { readonly rule: string; readonly receiver: string },
): string {
  return `${subject.uid}/${version}/${to.rule}/${to.receiver}`;
}

/** With texts of at most 300 characters, a message is far below the 256 KB of EventBridge and SNS. */
const MAX_FINDINGS = 50;
const MAX_LOG_LINKS = 3;

export interface NotificationOptions {
  readonly receiver: string;
  /** The address of the web page. */
  readonly page?: string | undefined;
}

/** The message about a transition. It is short, and has one line of text per field. */
export function notificationOf(
  transition: Transition,
  subject: Subject,
  { receiver, page }: NotificationOptions,
): Notification {
  const { rule, kind, version, firstVersion } = transition;
  const { cluster, namespace, name, uid, logs = [] } = subject;
  const to = { rule: rule.name, receiver };
  return {
    key: deliveryKey(subject, version, to),
    kind,
    firstKey: deliveryKey(subject, firstVersion, to),
    rule: rule.name,
    subject: { kind: subject.runKind ?? subject.kind, cluster, namespace, name, uid },
    version,
    ...reasonOf(subject),
    ...(rule.series ? saidOfSeries(kind, subject) : said(transition, subject)),
    ...findingsOf(transition, subject),
    ...(rule.resolve && kind !== "resolved" && { resolves: true }),
    at: subject.at,
    ...(page !== undefined && { link: linkTo(page, subject) }),
    ...(logs.length > 0 && { logs: logs.slice(0, MAX_LOG_LINKS) }),
  };
}

function reasonOf({ reason, responsible, retry }: Subject) {
  return {
    ...(reason !== undefined && { reason: shortText(reason) }),
    ...(responsible !== undefined && { responsible }),
    ...(retry !== undefined && { retry }),
  } satisfies Partial<Notification>;
}

type Said = Pick<Notification, "state" | "headline">;

function said({ kind, matched }: Transition, subject: Subject): Said {
  const { state } = subject;
  const named = subject.findings.filter((finding) => matched.findings.includes(finding.kind));
  return {
    ...(state !== undefined && { state }),
    headline: shortText(kind === "resolved" ? resolvedText(subject) : headlineOf(subject, named)),
  };
}

function shown({ kind, message }: SubjectFinding): SubjectFinding {
  return { kind, message: shortText(message) };
}

function findingsOf({ matched }: Transition, { findings }: Subject): Pick<Notification, "findings" | "findingsBeyond"> {
  const isNamed = ({ kind }: SubjectFinding): boolean => matched.findings.includes(kind);
  const all = [
    ...findings.filter(isNamed).map((one) => ({ ...shown(one), matched: true as const })),
    ...findings.filter((one) => !isNamed(one)).map(shown),
  ];
  const beyond = all.length - MAX_FINDINGS;
  return { findings: all.slice(0, MAX_FINDINGS), ...(beyond > 0 && { findingsBeyond: beyond }) };
}

/** The state of a series is that of its last run. Without runs, there is nothing to watch any more. */
function saidOfSeries(kind: Transition["kind"], { runs }: Subject): Said {
  if (runs === undefined) return { headline: "Over: the CronJob was deleted, or has no due times." };
  const [last, text] = [runs.at(-1), lastRunsText(runs)];
  return { ...(last && { state: last.state }), headline: shortText(kind === "resolved" ? `Over: ${text}` : text) };
}

/** The findings that a rule names come first if the state is not the reason. */
function headlineOf({ kind, headline }: Subject, [named]: Subject["findings"]): string {
  return kind === "Job" || kind === "Run" || named === undefined ? headline : `${named.kind}: ${named.message}`;
}

function resolvedText({ kind, state, findings }: Subject): string {
  const what = kind === "Run" ? "run" : "Job";
  if (state !== undefined) return `Over: the ${what} is ${state}${findings.length === 0 ? ", without findings" : ""}.`;
  return "Over: nothing that this rule names.";
}

function linkTo(page: string, { kind, runKind = "", cluster, namespace, name, uid }: Subject): string {
  switch (kind) {
    case "Job":
      return pageLink(page, { view: "job", path: [cluster, namespace, name], uid });
    case "Run":
      return pageLink(page, { view: "runs", path: [cluster, namespace, runKind.toLowerCase(), name], uid });
    case "CronJob":
      return pageLink(page, { view: "cronjobs", path: [cluster, namespace, name] });
    case "Cluster":
      return pageLink(page, { view: "clusters" });
  }
}
