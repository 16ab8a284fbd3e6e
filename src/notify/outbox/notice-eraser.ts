import { createHash } from "node:crypto";
import type { NoticeEraser } from "../../ports/erasing/eraser.ts";
import { listRecords } from "../../ports/list-records.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { noticeRecord } from "../../ports/records/notices/notice-record.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";

export interface NoticeEraserPorts {
  readonly meta: MetaStore;
  readonly remove: (key: string) => Promise<void>;
}

/**
 * Erases messages in stores with one record per subject. The numbers of a subject's messages are kept for each
 * receiver, in a record whose key is a hash of the subject, so that a repetition writes the same record. The hash is of
 * a uid, which cannot be guessed.
 */
export function createNoticeEraser({ meta, remove }: NoticeEraserPorts): NoticeEraser {
  return {
    subjects: async (cluster) => {
      const subjects: string[] = [];
      for await (const { key } of listRecords(meta, "notice", { prefix: ofCluster(cluster) })) subjects.push(key);
      return subjects;
    },
    erase: async (subject, alias) => {
      const stored = await readRecord(meta, noticeRecord, subject);
      if (stored === undefined) return;
      const key = `${alias}#${createHash("sha256").update(subject).digest("base64url").slice(0, HASH_CHARACTERS)}`;
      const value = { waiting: [], dead: [], tallies: stored.value.tallies };
      const known = await readRecord(meta, noticeRecord, key);
      await writeRecord(meta, noticeRecord, { key, value, expected: known?.version ?? 0 });
      await remove(subject);
    },
  };
}

const HASH_CHARACTERS = 16;
