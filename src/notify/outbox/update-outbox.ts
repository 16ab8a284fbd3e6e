import type { Retry } from "../../ports/concurrency/retry.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { noticeRecord } from "../../ports/records/notices/notice-record.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { untilWritten } from "../../projection/until-written.ts";
import { SubjectOutbox } from "./subject-outbox.ts";

export interface OutboxPorts {
  readonly meta: MetaStore;
  readonly retry: Retry;
  readonly now: () => Instant;
}

/**
 * Changes the notices about a subject in one conditional write, and repeats it if another writer came first. `change`
 * must read its data after the record is read, so that a writer with older data loses.
 */
export async function updateOutbox<Result>(
  { meta, retry, now }: OutboxPorts,
  id: string,
  change: (outbox: SubjectOutbox) => Result | Promise<Result>,
): Promise<{ readonly outbox: SubjectOutbox; readonly result: Result }> {
  const attempted: { readonly outbox: SubjectOutbox; readonly result: Result }[] = [];
  await untilWritten(`the notices about ${id}`, retry, async () => {
    const record = await readRecord(meta, noticeRecord, id);
    const outbox = new SubjectOutbox(id, record?.value);
    const result = await change(outbox);
    attempted.splice(0, 1, { outbox, result });
    if (!outbox.isChanged) return "written";
    const value = { ...outbox.content, changedAt: now() };
    return (await writeRecord(meta, noticeRecord, { key: id, value, expected: record?.version ?? 0 })).outcome;
  });
  const [last] = attempted;
  if (last === undefined) throw new TypeError(`The notices about ${id} were not written: no attempt was made.`);
  return last;
}
