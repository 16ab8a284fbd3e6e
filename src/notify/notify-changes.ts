import type { Instant } from "../job/model/instant.ts";
import { isEndOfRecording } from "../job/status/silence.ts";
import type { NoticeJournal } from "../ports/notices.ts";
import { readCluster } from "../query/clusters/cluster-records.ts";
import { explainJob } from "../query/job/explain-job.ts";
import { readSummary } from "../query/list/summary-row.ts";
import type { QueryPorts } from "../query/ports.ts";
import type { CronJobAnswer } from "../query/cron-jobs/cron-jobs.ts";
import { type Explanation, observeSubject, subjectId } from "./observe-subject.ts";
import type { RowChange } from "./notifying-jobs.ts";
import type { NotificationRules } from "./rules/rules.ts";
import { type ScheduleOptions, type ScheduleWatch } from "./watch-schedules.ts";
import { conditionOf, QUIET, type Subject, subjectOfJob } from "./subject.ts";

export interface NotifySetup {
  readonly rules: NotificationRules;
  readonly now: () => Instant;
  /** Also notify about clusters that are recordings, as `outlive rules test` does. @default false */
  readonly includesRecordings?: boolean;
}

export interface NotifyPorts extends QueryPorts {
  readonly notices: NoticeJournal;
}

/** Adds the deliveries that the change of a Job's row causes. Call it in the transaction that writes the row. */
export async function notifyOfRow(ports: NotifyPorts, setup: NotifySetup, change: RowChange): Promise<void> {
  const { key, before, after } = change;
  const { rules, now, includesRecordings } = setup;
  if (includesRecordings !== true) {
    const observed = (await readCluster(ports.meta, key.cluster))?.observed;
    if (observed !== undefined && isEndOfRecording(observed)) return;
  }
  const job = readSummary(after);
  // A large Job is explained by its row: a transaction does not wait for all of its Pods.
  const explain = job.podsUnread === true ? {} : { explain: explainWith(ports, change, now()) };
  await observeSubject(
    { notices: ports.notices, rules, ...explain },
    { subject: subjectOfJob(job), previous: before && subjectOfJob(readSummary(before)), now: now() },
  );
}

function explainWith(ports: QueryPorts, { key }: RowChange, now: Instant) {
  return async ({ namespace, name, uid }: Subject): Promise<Explanation | undefined> => {
    const wanted = { cluster: key.cluster, namespace, name, uid };
    const explained = await explainJob(ports, { scope: "everything", wanted }, { now });
    if (explained.outcome !== "explained") return undefined;
    const { answer, logs } = explained.why;
    return { headline: answer, ...(logs && { logs }) };
  };
}

export interface ScheduleTurn extends Pick<ScheduleOptions, "hasTime" | "from" | "turn"> {
  readonly watch: ScheduleWatch;
  /** Stores a subject's condition and its deliveries together. */
  readonly inTransaction: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Adds the deliveries about CronJobs and silent clusters. */
export async function notifyOfSchedules(
  ports: NotifyPorts,
  { rules, now, includesRecordings = false }: NotifySetup,
  { watch, inTransaction, ...turn }: ScheduleTurn,
): Promise<void> {
  const { notices } = ports;
  const conditionBefore = async (subject: Parameters<typeof subjectId>[0]): Promise<string> =>
    (await notices.read(subjectId(subject)))?.condition ?? QUIET;
  const isNoted = async ({ cluster, uid }: CronJobAnswer): Promise<boolean> =>
    (await conditionBefore({ cluster, kind: "CronJob", uid })) !== QUIET;
  for await (const subject of watch.subjects(ports, { ...turn, now: now(), includesRecordings, isNoted })) {
    if ((await conditionBefore(subject)) === conditionOf(subject)) continue;
    await inTransaction(() => observeSubject({ notices, rules }, { subject, now: now() }));
  }
}
