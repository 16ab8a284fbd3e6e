import pLimit from "p-limit";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { JobKey } from "../../ports/jobs.ts";
import type { Projections } from "../../ports/projections.ts";
import type { RowWrite } from "../../ports/row-write.ts";
import { readLivePointer, type StoredPointer } from "../../projection/live-projection.ts";
import { mayMatch } from "../keys-around.ts";
import type { NotificationRules } from "../rules/rules.ts";
import type { Subject } from "../subject.ts";
import { subjectOfRow } from "../subject-of-row.ts";
import { type ChangedJob, type NoticePorts, notifyOfJob, type NotifySetup } from "./notify-of-job.ts";

export interface JobNoticePorts extends Omit<NoticePorts, "jobs"> {
  readonly projections: Projections;
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
  const jobs = ports.projections.open(pointer.live);
  const runs = ports.projections.runs(pointer.live);
  await pLimit(MAX_CONCURRENT).map(matched, async ({ key, isRun, before }) => {
    try {
      const current: ChangedJob["current"] = async ({ notice }) => {
        const row = (await (isRun === true ? runs : jobs).read(key))?.row;
        const subject = row && subjectOfRow({ key, isRun }, row);
        return subject === undefined || (notice === undefined && isPast(subject, setup.now())) ? undefined : row;
      };
      await notifyOfJob({ ...ports, jobs }, setup, { key, isRun, before, current });
    } catch (cause) {
      // Another Job must not wait for this one. The caller decides whether the writes are reported again.
      failed.push({ key, cause });
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
    const id = `${write.projection}#${write.isRun ?? false}#${write.key.cluster}#${write.key.jobUid}`;
    const earlier = jobs.get(id);
    if (earlier === undefined) jobs.set(id, write);
    else jobs.set(id, { ...earlier, writtenAt: write.writtenAt, after: write.after });
  }
  return [...jobs.values()];
}

function isMatched({ rules }: NotificationRules, { before, after, ...written }: RowWrite): boolean {
  const subjects = [after, ...(before === undefined ? [] : [before])].flatMap(
    (row) => subjectOfRow(written, row) ?? [],
  );
  return rules.some((rule) => subjects.some((subject) => mayMatch(rule, subject) !== undefined));
}

/** An import of old data goes through the same queue as new data: what it brings about the past is no news. */
const NEWS_MILLIS = 86_400_000;

function isPast({ at, endedAt }: Pick<Subject, "at" | "endedAt">, now: Instant): boolean {
  const latest = parseInstant(endedAt ?? at);
  return latest !== undefined && now - latest > NEWS_MILLIS;
}
