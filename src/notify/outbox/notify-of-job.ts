import type { Instant } from "../../job/model/instant.ts";
import { isEndOfRecording } from "../../job/status/silence.ts";
import type { JobRow } from "../../ports/job-row.ts";
import type { JobKey } from "../../ports/jobs.ts";
import type { WakeUps } from "../../ports/wake-ups.ts";
import { readCluster } from "../../query/clusters/cluster-records.ts";
import { explainJob } from "../../query/job/explain-job.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { keysAround, withKeys } from "../keys-around.ts";
import { type Explanation, observeSubject, subjectId } from "../observe-subject.ts";
import type { NotificationRules } from "../rules/rules.ts";
import type { Subject } from "../subject.ts";
import { type NotifiedRow, subjectOfRow } from "../subject-of-row.ts";
import type { SubjectOutbox } from "./subject-outbox.ts";
import { type OutboxPorts, updateOutbox } from "./update-outbox.ts";

export interface NotifySetup {
  readonly rules: NotificationRules;
  readonly now: () => Instant;
  /** Also notify about clusters that are recordings, as `outlive rules test` does. @default false */
  readonly includesRecordings?: boolean;
}

export interface NoticePorts extends QueryPorts, Pick<OutboxPorts, "retry"> {
  /** @default none are sent: the store finds what waits (src/ports/notices.ts) */
  readonly wakeUps?: WakeUps;
}

export interface ChangedJob extends NotifiedRow {
  /** The row before the change. Absent for a new Job. */
  readonly before?: JobRow | undefined;
  /** The row as it is stored now; `undefined` if no message shall follow. */
  readonly current: (notices: SubjectOutbox) => Promise<JobRow | undefined>;
}

/** Adds the messages that the change of a Job's row causes, and wakes their receivers. */
export async function notifyOfJob(ports: NoticePorts, setup: NotifySetup, change: ChangedJob): Promise<void> {
  if (setup.includesRecordings !== true && (await isRecording(ports, change.key))) return;
  const { cluster, jobUid: uid } = change.key;
  await notifyOfSubject(ports, setup, {
    id: subjectId({ cluster, kind: change.isRun === true ? "Run" : "Job", uid }),
    observe: async (notices) => {
      const row = await change.current(notices);
      if (row !== undefined) await observeRow(ports, setup, { ...change, notices, row });
    },
  });
}

async function isRecording({ meta }: QueryPorts, { cluster }: JobKey): Promise<boolean> {
  const observed = (await readCluster(meta, cluster))?.observed;
  return observed !== undefined && isEndOfRecording(observed);
}

export interface ObservedSubject {
  readonly id: string;
  readonly observe: (notices: SubjectOutbox) => Promise<unknown>;
}

/** Stores what the rules say about a subject, and its messages. Wakes the receivers of all that wait. */
export async function notifyOfSubject(
  { meta, retry, wakeUps }: NoticePorts,
  { now }: NotifySetup,
  { id, observe }: ObservedSubject,
): Promise<void> {
  const { outbox } = await updateOutbox({ meta, retry, now }, id, observe);
  await wakeUps?.send([...outbox.wanted].map(([receiver, at]) => ({ receiver, subject: id, at })));
}

interface ObservedRow extends Pick<ChangedJob, "key" | "isRun" | "before"> {
  readonly notices: SubjectOutbox;
  readonly row: JobRow;
}

async function observeRow(
  ports: QueryPorts,
  { rules, now }: NotifySetup,
  { notices, before, row, ...changed }: ObservedRow,
): Promise<void> {
  const subject = subjectOfRow(changed, row);
  if (subject === undefined) return;
  // A run, and a large Job, is explained by its row: the writer does not wait for all of its Pods.
  const isShort = changed.isRun === true || readSummary(row).podsUnread === true;
  const explain = isShort ? {} : { explain: explainWith(ports, changed.key, now()) };
  const keys = await keysAround(ports.meta, rules.rules, subject);
  const previous = before && subjectOfRow(changed, before);
  const change = { subject: withKeys(subject, keys), previous: previous && withKeys(previous, keys), now: now() };
  await observeSubject({ notices, rules, ...explain }, change);
}

function explainWith(ports: QueryPorts, { cluster }: JobKey, now: Instant) {
  return async ({ namespace, name, uid }: Subject): Promise<Explanation | undefined> => {
    const wanted = { cluster, namespace, name, uid };
    const explained = await explainJob(ports, { scope: "everything", wanted }, { now });
    if (explained.outcome !== "explained") return undefined;
    const { answer, logs } = explained.why;
    return { headline: answer, ...(logs && { logs }) };
  };
}
