import { createHash } from "node:crypto";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { leadingFinding } from "../../explain/attention/leading-finding.ts";
import { type Severity, severityOfJob } from "../../explain/attention/severity.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { CronFinding } from "../../parents/cron-job/cron-findings.ts";
import { partInSeries } from "../../parents/series/series-key.ts";
import type { AttentionGroup } from "./attention.ts";

/** Where a part belongs. */
interface Subject {
  readonly cluster: string;
  readonly namespace: string;
  readonly group?: AttentionGroup | undefined;
}

/** One Job, or what was found about a CronJob. */
export interface AttentionPart extends Subject {
  /** The leading finding. */
  readonly kind: string;
  readonly severity: Severity;
  readonly message: string;
  /** When it came into the entry. */
  readonly at: Instant;
  /** Further kinds of findings. */
  readonly otherKinds: readonly string[];
  /** Absent for a finding of a CronJob. */
  readonly job?: AttentionJob;
  /** Only of a CronJob. */
  readonly finding?: CronFinding;
  /** When its series succeeded, if that was after it failed. */
  readonly succeededAt?: Instant;
}

export interface AttentionJob {
  readonly name: string;
  readonly uid: string;
  readonly team?: string | undefined;
  /** What it does in each run of its series. */
  readonly partInSeries?: string | undefined;
  /** Why it failed, as a clause. */
  readonly cause?: string | undefined;
}

/** The parts of one series or run; without one, the Jobs of a namespace with the same leading finding. */
export interface PartsOfGroup extends Subject {
  readonly parts: readonly AttentionPart[];
}

/** Collects parts by what they belong to. */
export class AttentionGroups {
  readonly #groups = new Map<string, Subject & { readonly parts: AttentionPart[] }>();

  add(part: AttentionPart): void {
    const id = idOf(part);
    const { cluster, namespace, group } = part;
    const known = this.#groups.get(id) ?? { cluster, namespace, group, parts: [] };
    known.parts.push(part);
    this.#groups.set(id, known);
  }

  /** Whether there is another part of its group. */
  hasGroupOf(part: AttentionPart): boolean {
    return this.#groups.has(idOf(part));
  }

  get all(): readonly PartsOfGroup[] {
    return [...this.#groups.values()];
  }
}

function idOf(part: AttentionPart): string {
  return JSON.stringify([subjectOf(part), part.group === undefined ? part.kind : ""]);
}

/** A series that is created again is the same, a run is not. */
function subjectOf({ cluster, namespace, group }: Subject): readonly unknown[] {
  const { type, kind, name, uid } = group ?? {};
  return [cluster, namespace, group === undefined ? [] : [type, kind, name, type === "run" ? (uid ?? "") : ""]];
}

/** 128 bits. */
const ID_DIGITS = 32;

/** The id of the entry of a group: another severity or leading finding is another entry. */
export function entryIdOf(subject: Subject, { kind, severity }: Pick<AttentionPart, "kind" | "severity">): string {
  const text = JSON.stringify([...subjectOf(subject), kind, severity]);
  return createHash("sha256").update(text).digest("hex").slice(0, ID_DIGITS);
}

/** A Job that needs attention, as a part of its entry. */
export function partOfJob(
  job: JobAnswer,
  { isOver, now }: { readonly isOver: boolean; readonly now: Instant },
): AttentionPart {
  const { cluster, namespace, name, uid, labels, findings, verdict, cause } = job;
  const { kind, message, since } = leadingFinding(job);
  const severity = severityOfJob(job, isOver);
  const others = new Set(findings.map((finding) => finding.kind).filter((other) => other !== kind));
  return {
    cluster,
    namespace,
    group: groupOf(job),
    kind,
    severity,
    message,
    // The clock of a cluster may be wrong.
    at: Math.min(now, cameAt(job, severity, since)),
    otherKinds: [...others],
    job: {
      name,
      uid,
      team: labels["team"],
      partInSeries: partInSeries(job),
      cause: verdict.state === "Failed" ? cause?.message : undefined,
    },
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
