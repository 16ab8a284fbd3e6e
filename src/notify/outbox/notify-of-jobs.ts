import pLimit from "p-limit";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { JobRow } from "../../ports/job-row.ts";
import type { JobKey } from "../../ports/jobs.ts";
import type { Projections } from "../../ports/projections.ts";
import type { RowWrite } from "../../ports/row-write.ts";
import type { WakeUp, WakeUps } from "../../ports/wake-ups.ts";
import { readLivePointer, type StoredPointer } from "../../projection/live-projection.ts";
import { readSummary } from "../../query/list/summary-row.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { matchRule } from "../match-rule.ts";
import { notifyOfRow, type NotifySetup } from "../notify-changes.ts";
import { subjectId } from "../observe-subject.ts";
import type { NotificationRules } from "../rules/rules.ts";
import { subjectOfJob } from "../subject.ts";
import { type OutboxPorts, updateOutbox } from "./update-outbox.ts";

export interface JobNoticePorts extends Omit<QueryPorts, "jobs">, OutboxPorts {
  readonly projections: Projections;
  readonly wakeUps: WakeUps;
}

export interface NotifiedJobs {
  /** Only changes that a rule matches, before or after, are processed. All others cost no request. */
  readonly matched: number;
  /** Changes that could not be processed, and why. */
  readonly failed: readonly { readonly key: JobKey; readonly cause: unknown }[];
}

const MAX_CONCURRENT = 8;

/**
 * Adds the messages that written rows cause, and wakes their receivers.
 *
 * A write only says that a Job may have changed: the rules judge the row that is stored now, and the version of its
 * condition is raised with a condition. Writes that are reported twice, late or out of order therefore cause no second
 * message. Waiting messages are announced again with each report, also after a process was killed before it did.
 */
export async function notifyOfJobs(
  ports: JobNoticePorts,
  setup: NotifySetup,
  writes: readonly RowWrite[],
): Promise<NotifiedJobs> {
  const pointer = await readLivePointer(ports.meta);
  const matched = onePerJob(writes.filter((write) => isAnswering(write, pointer))).filter((write) =>
    isMatched(setup.rules, write),
  );
  const failed: { key: JobKey; cause: unknown }[] = [];
  await pLimit(MAX_CONCURRENT).map(matched, async (write) => {
    try {
      await ports.wakeUps.send(await observe(ports, { setup, pointer, write }));
    } catch (cause) {
      // One Job must not delay another. The caller decides whether the writes are reported again.
      failed.push({ key: write.key, cause });
    }
  });
  return { matched: matched.length, failed };
}

/**
 * Whether the projection was the live one when the row was written, because reports arrive late. Rows of the previous
 * projection count if they were written before the switch. Rows of the live one from before the switch belong to the
 * rebuild, which does not notify.
 */
function isAnswering({ projection, writtenAt }: RowWrite, { live, switchedAt }: StoredPointer): boolean {
  if (switchedAt === undefined) return projection === live;
  return projection === live ? writtenAt + 999 >= switchedAt : writtenAt <= switchedAt;
}

/** The first row before and the last row after, of each Job. */
function onePerJob(writes: readonly RowWrite[]): readonly RowWrite[] {
  const jobs = new Map<string, RowWrite>();
  for (const write of writes) {
    const id = `${write.projection}#${write.key.cluster}#${write.key.jobUid}`;
    const earlier = jobs.get(id);
    if (earlier === undefined) jobs.set(id, write);
    else jobs.set(id, { ...earlier, writtenAt: write.writtenAt, after: write.after });
  }
  return [...jobs.values()];
}

function isMatched({ rules }: NotificationRules, { before, after }: RowWrite): boolean {
  const subjects = [after, ...(before === undefined ? [] : [before])].map((row) => subjectOfJob(readSummary(row)));
  return rules.some((rule) => subjects.some((subject) => matchRule(rule, subject) !== undefined));
}

interface Observed {
  readonly setup: NotifySetup;
  readonly pointer: StoredPointer;
  readonly write: RowWrite;
}

async function observe(ports: JobNoticePorts, { setup, pointer, write }: Observed): Promise<readonly WakeUp[]> {
  const { key, before } = write;
  const jobs = ports.projections.open(pointer.live);
  const id = subjectId(subjectOfJob(readSummary(write.after)));
  const { outbox } = await updateOutbox(ports, id, async (notices) => {
    const row = (await jobs.read(key))?.row;
    if (row === undefined || ((await notices.read()) === undefined && isPast(row, setup.now()))) return;
    await notifyOfRow({ ...ports, jobs, notices }, setup, { key, after: row, ...(before && { before }) });
  });
  return [...outbox.wanted].map(([receiver, at]) => ({ receiver, subject: id, at }));
}

/** How old an end may be. Imports use the same queue as new data, and must not cause notifications about the past. */
const NEWS_MILLIS = 86_400_000;

function isPast(row: JobRow, now: Instant): boolean {
  const { finishedAt, deletedAt, asOf } = readSummary(row);
  const at = parseInstant(finishedAt ?? deletedAt ?? asOf.time);
  return at !== undefined && now - at > NEWS_MILLIS;
}
