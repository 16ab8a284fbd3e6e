import type { ClusterName } from "../../job/model/ids.ts";
import { CRON_FINDING_KINDS } from "../../job/schedule/cron-findings.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { noticeRecord } from "../../ports/records/notices/notice-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import type { WakeUps } from "../../ports/wake-ups.ts";
import { clusterNames } from "../../query/clusters/clusters.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { matchRule } from "../match-rule.ts";
import type { NotifySetup } from "../notify-changes.ts";
import { observeSubject, subjectId } from "../observe-subject.ts";
import type { NotificationRules, Rule } from "../rules/rules.ts";
import type { ScheduleWatch } from "../watch-schedules.ts";
import { type OutboxPorts, updateOutbox } from "./update-outbox.ts";

export interface ScheduleNoticePorts extends QueryPorts, OutboxPorts {
  readonly wakeUps: WakeUps;
}

/** Findings that no fact of a Job reports. */
const SCHEDULE_FINDINGS: ReadonlySet<string> = new Set([...CRON_FINDING_KINDS, "ClusterSilent"]);

/** Whether a rule can match a CronJob or a cluster. Otherwise they are not read. */
export function watchesSchedules({ rules }: NotificationRules): boolean {
  return rules.some(({ match: { states, findings } }: Rule) =>
    findings.length === 0 ? states.length === 0 : findings.some((kind) => SCHEDULE_FINDINGS.has(kind)),
  );
}

/**
 * Adds the messages about CronJobs and silent clusters, and wakes their receivers. A subject that no rule matches, and
 * none has matched, costs no request of its own. Returns how many subjects it looked at.
 */
export async function notifyOfCronJobs(
  ports: ScheduleNoticePorts,
  setup: NotifySetup,
  watch: ScheduleWatch,
): Promise<number> {
  const { rules, now } = setup;
  const known = await knownSubjects(ports.meta);
  let looked = 0;
  for await (const subject of watch.subjects(ports, { now: now(), includesRecordings: false })) {
    looked += 1;
    const id = subjectId(subject);
    if (!known.has(id) && !rules.rules.some((rule) => matchRule(rule, subject) !== undefined)) continue;
    const { outbox } = await updateOutbox(ports, id, (notices) =>
      observeSubject({ notices, rules }, { subject, now: now() }),
    );
    await ports.wakeUps.send([...outbox.wanted].map(([receiver, at]) => ({ receiver, subject: id, at })));
  }
  return looked;
}

/** The CronJobs and clusters that rules have matched. */
async function knownSubjects(meta: MetaStore): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const cluster of await clusterNames(meta, "everything")) {
    for (const kind of ["CronJob", "Cluster"] as const) {
      for await (const { key } of listDecoded(meta, noticeRecord, prefixOf(cluster, kind))) known.add(key);
    }
  }
  return known;
}

function prefixOf(cluster: ClusterName, kind: string): string {
  return `${cluster}#${kind}#`;
}
