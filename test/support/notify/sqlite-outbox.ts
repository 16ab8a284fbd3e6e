import { outboxStatus, type OutboxStatus } from "../../../src/notify/outbox/outbox-status.ts";
import { SubjectOutbox } from "../../../src/notify/outbox/subject-outbox.ts";
import { updateOutbox } from "../../../src/notify/outbox/update-outbox.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import type { Delivery, NewDelivery } from "../../../src/ports/notices.ts";
import { noticeRecord } from "../../../src/ports/records/notices/notice-record.ts";
import { readRecord } from "../../../src/ports/records/record-codec.ts";
import { noteCluster } from "../../../src/projection/project-cluster.ts";
import { openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { createSqliteDueSubjects } from "../../../src/adapters/sqlite/sqlite-due-subjects.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { clusterNamed } from "../facts/names.ts";
import { notificationExample } from "./notification-example.ts";

const RETRY = { attempts: 3, pause: async () => {} };

/** A message to receiver `hook` about a subject of cluster `east` that has the name of its key. */
export function deliveryOf(key: string, said: Partial<NewDelivery> = {}): NewDelivery {
  const value = JSON.stringify(notificationExample({ key }));
  return { key, receiver: "hook", subject: `east#Job#${key}`, nextAt: 0, group: "g", value, ...said };
}

/** The messages of a database in memory, at the time that a test sets. */
export class SqliteOutbox {
  readonly #database = openDatabase(":memory:");
  now: Instant = 0;
  readonly ports = {
    meta: createSqliteMetaStore(this.#database),
    dueSubjects: createSqliteDueSubjects(this.#database),
    retry: RETRY,
    now: () => this.now,
  };

  async add(...deliveries: readonly NewDelivery[]): Promise<void> {
    for (const one of deliveries) await this.change(one.subject, (outbox) => outbox.add([one], this.now));
  }

  async change(subject: string, change: (outbox: SubjectOutbox) => void | Promise<unknown>): Promise<void> {
    await updateOutbox(this.ports, subject, change);
  }

  /** The oldest message of each subject that is due. */
  async due(now: Instant, receiver = "hook"): Promise<readonly Delivery[]> {
    const { meta, dueSubjects } = this.ports;
    const found: Delivery[] = [];
    for (const subject of await dueSubjects.due(receiver, { now, limit: 100 })) {
      const record = await readRecord(meta, noticeRecord, subject);
      const next = new SubjectOutbox(subject, record?.value).next(receiver, now);
      if (next.outcome === "due") found.push(next.delivery);
    }
    return found;
  }

  async status(cluster = "east"): Promise<OutboxStatus> {
    await noteCluster(this.ports.meta, clusterNamed(cluster));
    return outboxStatus(this.ports.meta, 10);
  }

  close(): void {
    this.#database.close();
  }
}
