import { createHash } from "node:crypto";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { leadingFinding } from "../../explain/attention/leading-finding.ts";
import { type Severity, severityOfJob } from "../../explain/attention/severity.ts";
import { formatInstant, type Instant, parseInstant } from "../../job/model/instant.ts";
import type { AttentionEntry, AttentionGroup } from "./attention.ts";

/** What one entry is about. Its id follows from it. */
interface Subject {
  readonly cluster: string;
  readonly namespace: string;
  readonly group?: AttentionGroup | undefined;
  readonly kind: string;
  readonly severity: Severity;
}

/** One Job of an entry, or a finding of a CronJob. */
export interface AttentionPart extends Subject {
  readonly title: string;
  readonly message: string;
  /** When it came into the entry. */
  readonly at: Instant;
  /** Further kinds of findings. */
  readonly otherKinds: readonly string[];
  /** Absent for a finding of a CronJob. */
  readonly job?: { readonly name: string; readonly uid: string; readonly team?: string | undefined };
}

/** Parts with the same subject are one entry. */
export class AttentionGroups {
  readonly #parts = new Map<string, AttentionPart[]>();

  add(part: AttentionPart): void {
    const id = idOf(part);
    const known = this.#parts.get(id) ?? [];
    known.push(part);
    this.#parts.set(id, known);
  }

  entries(): readonly AttentionEntry[] {
    return [...this.#parts].flatMap(([id, parts]) => entryOf(id, parts) ?? []);
  }
}

/** 128 bits. */
const ID_DIGITS = 32;
/** Of an entry's message. 200 entries then stay below 150 kB. */
const MAX_MESSAGE = 300;
const MAX_TEAMS = 10;

function idOf({ cluster, namespace, group, kind, severity }: Subject): string {
  const { type, kind: groupKind, name, uid } = group ?? {};
  // A series that is created again is the same, a run is not.
  const of = group === undefined ? [] : [type, groupKind, name, type === "run" ? (uid ?? "") : ""];
  const text = JSON.stringify([cluster, namespace, of, kind, severity]);
  return createHash("sha256").update(text).digest("hex").slice(0, ID_DIGITS);
}

function entryOf(id: string, parts: readonly AttentionPart[]): AttentionEntry | undefined {
  const newest = parts.reduce<AttentionPart | undefined>((a, b) => (a === undefined || b.at > a.at ? b : a), undefined);
  if (newest === undefined) return undefined;
  const { severity, kind, title, message, cluster, namespace, group, job, at } = newest;
  const teams = new Set(parts.flatMap((part) => part.job?.team ?? []));
  return {
    id,
    severity,
    kind,
    title,
    message: shortened(message),
    cluster,
    namespace,
    ...(group !== undefined && { group }),
    teams: [...teams].sort().slice(0, MAX_TEAMS),
    jobs: parts.filter((part) => part.job !== undefined).length,
    otherKinds: countsOf(parts.flatMap((part) => part.otherKinds)),
    ...(job !== undefined && { newest: { name: job.name, uid: job.uid } }),
    firstAt: formatInstant(parts.reduce((first, part) => Math.min(first, part.at), at)),
    latestAt: formatInstant(at),
  };
}

function countsOf(kinds: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  return `${message.slice(0, MAX_MESSAGE - 1).toWellFormed()}…`;
}

/** A Job that needs attention, as a part of its entry. */
export function partOfJob(
  job: JobAnswer,
  { isOver, now }: { readonly isOver: boolean; readonly now: Instant },
): AttentionPart {
  const { cluster, namespace, name, uid, labels, findings } = job;
  const { kind, title, message, since } = leadingFinding(job);
  const severity = severityOfJob(job, isOver);
  const others = new Set(findings.map((finding) => finding.kind).filter((other) => other !== kind));
  return {
    cluster,
    namespace,
    group: groupOf(job),
    kind,
    severity,
    title,
    message,
    // The clock of a cluster may be wrong.
    at: Math.min(now, cameAt(job, severity, since)),
    otherKinds: [...others],
    job: { name, uid, team: labels["team"] },
  };
}

/** A Job comes into an entry when its leading finding begins, and into one of ended Jobs no earlier than it ended. */
function cameAt({ verdict, ...job }: JobAnswer, severity: Severity, since: string | undefined): Instant {
  const endedAt = severity === "atRisk" ? undefined : (job.finishedAt ?? job.deletedAt ?? verdict.since);
  const known = [since, endedAt].flatMap((time) => parseInstant(time) ?? []);
  return known.length > 0 ? Math.max(...known) : (parseInstant(job.startedAt ?? job.createdAt) ?? 0);
}

function groupOf({ series, run, uid }: JobAnswer): AttentionGroup | undefined {
  if (series !== undefined) return groupAs("series", series);
  return run.uid === uid ? undefined : groupAs("run", run);
}

function groupAs(
  type: AttentionGroup["type"],
  { kind, name, uid }: Pick<AttentionGroup, "kind" | "name" | "uid">,
): AttentionGroup {
  return { type, kind, name, ...(uid !== undefined && { uid }) };
}
