import { compareKinds, titleOfKind } from "../../explain/attention/leading-finding.ts";
import { SEVERITIES, type Severity } from "../../explain/attention/severity.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { sentence } from "../../job/text/sentence.ts";
import { failuresText } from "../../parents/cron-job/cron-findings.ts";
import type { AttentionEntry } from "./attention.ts";
import { type AttentionPart, entryIdOf, type PartsOfGroup } from "./attention-groups.ts";

/** The parts of an entry that answer its questions. */
interface Leaders {
  /** The newest part with the leading finding. */
  readonly lead: AttentionPart;
  readonly newest: AttentionPart;
  readonly newestJob: AttentionPart | undefined;
}

/** Of an entry's message. 200 entries then stay below 150 kB. */
const MAX_MESSAGE = 300;
const MAX_TEAMS = 10;

/** The entries of a group: one for each severity that it has. */
export function groupEntries(of: PartsOfGroup): readonly AttentionEntry[] {
  return SEVERITIES.flatMap((severity) => entryOf(of, severity) ?? []);
}

function entryOf(of: PartsOfGroup, severity: Severity): AttentionEntry | undefined {
  const parts = of.parts.filter((part) => part.severity === severity);
  const leaders = leadersOf(parts);
  if (leaders === undefined) return undefined;
  const { lead, newest, newestJob } = leaders;
  const { cluster, namespace, group, kind } = lead;
  const jobs = parts.filter(({ job }) => job !== undefined);
  return {
    id: entryIdOf(of, lead),
    severity,
    kind,
    title: titleOfKind(kind),
    message: messageOf(leaders),
    cluster,
    namespace,
    ...(group !== undefined && { group }),
    teams: teamsOf(of),
    jobs: jobs.length,
    otherKinds: countsOf(parts.flatMap((part) => [part.kind, ...part.otherKinds]).filter((other) => other !== kind)),
    ...(newestJob?.job !== undefined && { newest: { name: newestJob.job.name, uid: newestJob.job.uid } }),
    firstAt: formatInstant(parts.reduce((first, part) => Math.min(first, part.at), newest.at)),
    latestAt: formatInstant(newest.at),
  };
}

function leadersOf(parts: readonly AttentionPart[]): Leaders | undefined {
  const byKind = parts.toSorted((a, b) => compareKinds(a.kind, b.kind) || b.at - a.at);
  const newestFirst = parts.toSorted((a, b) => b.at - a.at);
  const [[lead], [newest]] = [byKind, newestFirst];
  if (lead === undefined || newest === undefined) return undefined;
  return { lead, newest, newestJob: newestFirst.find(({ job }) => job !== undefined) };
}

/** Why a Job failed says more than which limit ended it. */
function messageOf({ lead, newestJob }: Leaders): string {
  const { finding, succeededAt, severity } = lead;
  if (finding?.kind === "ConsecutiveFailures") {
    const isRun = newestJob?.job?.name === finding.run;
    return shortened(failuresText(finding, isRun ? newestJob.job.cause : undefined));
  }
  if (finding !== undefined) return shortened(lead.message);
  if (severity === "failed") return shortened(textOf(newestJob ?? lead, lead));
  if (succeededAt === undefined) return shortened(lead.message);
  const added = ` Succeeded since, at ${formatInstant(succeededAt)}.`;
  return `${shortened(textOf(lead, lead), MAX_MESSAGE - added.length)}${added}`;
}

function textOf({ job }: AttentionPart, { message }: AttentionPart): string {
  return job?.cause === undefined ? message : sentence(job.cause);
}

function shortened(message: string, most = MAX_MESSAGE): string {
  if (message.length <= most) return message;
  return `${message.slice(0, most - 1).toWellFormed()}…`;
}

/** Findings of a CronJob have no labels: they concern the teams of its Jobs. */
function teamsOf({ parts }: PartsOfGroup): string[] {
  return [...new Set(parts.flatMap(({ job }) => job?.team ?? []))].sort().slice(0, MAX_TEAMS);
}

function countsOf(kinds: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
