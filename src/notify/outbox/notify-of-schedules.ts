import * as v from "valibot";
import type { ClusterName } from "../../job/model/ids.ts";
import { CRON_FINDING_KINDS } from "../../parents/cron-job/cron-findings.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { WATCH_KEY } from "../../ports/meta-key.ts";
import { noticeRecord } from "../../ports/records/notices/notice-record.ts";
import {
  listDecoded,
  readRecord,
  recordCodec,
  type StoredRecord,
  writeRecord,
} from "../../ports/records/record-codec.ts";
import { clusterNames } from "../../query/clusters/clusters.ts";
import type { CronJobAnswer } from "../../query/cron-jobs/cron-jobs.ts";
import { keysAround, mayMatch, withKeys } from "../keys-around.ts";
import { matchRule } from "../match-rule.ts";
import { observeSubject, subjectId } from "../observe-subject.ts";
import type { NotificationRules, Rule } from "../rules/rules.ts";
import { QUIET } from "../subject.ts";
import type { ScheduleOptions, ScheduleWatch, WatchPosition } from "../watch-schedules.ts";
import { type NoticePorts, notifyOfSubject, type NotifySetup } from "./notify-of-job.ts";

/** Findings that no fact of a Job reports. */
const SCHEDULE_FINDINGS: ReadonlySet<string> = new Set([...CRON_FINDING_KINDS, "ClusterSilent"]);

/** Whether any rule can match a CronJob or a cluster. If not, they are not read. */
export function watchesSchedules({ rules }: NotificationRules): boolean {
  const about = rules.filter(({ traces }) => traces !== true);
  return about.some(({ match: { states, findings } }: Rule) =>
    findings.length === 0 ? states.length === 0 : findings.some((kind) => SCHEDULE_FINDINGS.has(kind)),
  );
}

export interface ScheduleTurn extends Pick<ScheduleOptions, "hasTime" | "turn"> {
  readonly watch: ScheduleWatch;
}

export interface LookedAt {
  /** CronJobs whose runs were read, and clusters. */
  readonly subjects: number;
  /** Whether time ran out. The next turn continues, also in another process. */
  readonly isPartial: boolean;
}

/**
 * Adds messages about CronJobs and silent clusters, and wakes their receivers. A subject that no rule matches or has
 * matched costs no request.
 */
export async function notifyOfCronJobs(
  ports: NoticePorts,
  setup: NotifySetup,
  { watch, ...turn }: ScheduleTurn,
): Promise<LookedAt> {
  const { rules, now, includesRecordings = false } = setup;
  const conditions = await knownConditions(ports.meta);
  const position = await readRecord(ports.meta, watchPosition, WATCH_KEY);
  const isNoted = ({ cluster, uid }: CronJobAnswer): boolean =>
    (conditions.get(subjectId({ cluster, kind: "CronJob", uid })) ?? QUIET) !== QUIET;
  const options = { ...turn, now: now(), includesRecordings, isNoted, from: position?.value.from };
  let subjects = 0;
  for await (const own of watch.subjects(ports, options)) {
    subjects += 1;
    const id = subjectId(own);
    if (!conditions.has(id) && !rules.rules.some((rule) => mayMatch(rule, own) !== undefined)) continue;
    const subject = withKeys(own, await keysAround(ports.meta, rules.rules, own));
    if (!conditions.has(id) && !rules.rules.some((rule) => matchRule(rule, subject) !== undefined)) continue;
    await notifyOfSubject(ports, setup, {
      id,
      observe: (notices) => observeSubject({ notices, rules }, { subject, now: now() }),
    });
  }
  await recordPosition(ports.meta, watch.next, position);
  return { subjects, isPartial: watch.next !== undefined };
}

/** Kind `position`, key `#watch`: where the next turn begins. */
interface StoredWatch {
  readonly from?: WatchPosition;
}

const watchPosition = recordCodec<StoredWatch>(
  "position",
  v.looseObject({ from: v.exactOptional(v.looseObject({ cluster: v.string(), cronJobUid: v.string() })) }),
);

/** A turn that starts at the first CronJob and reaches the last one writes nothing. */
async function recordPosition(
  meta: MetaStore,
  next: WatchPosition | undefined,
  stored: StoredRecord<StoredWatch> | undefined,
): Promise<void> {
  if (next === undefined && stored?.value.from === undefined) return;
  const value = next === undefined ? {} : { from: next };
  // If another process has written in the meantime, its position serves as well.
  await writeRecord(meta, watchPosition, { key: WATCH_KEY, value, expected: stored?.version ?? 0 });
}

/** The last conditions of the CronJobs and clusters that rules have matched. */
async function knownConditions(meta: MetaStore): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  for (const cluster of await clusterNames(meta, "everything")) {
    for (const kind of ["CronJob", "Cluster"] as const) {
      for await (const { key, value } of listDecoded(meta, noticeRecord, prefixOf(cluster, kind))) {
        known.set(key, value.notice?.condition ?? QUIET);
      }
    }
  }
  return known;
}

function prefixOf(cluster: ClusterName, kind: string): string {
  return `${cluster}#${kind}#`;
}
