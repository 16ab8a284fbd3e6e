import type { Instant } from "../../job/model/instant.ts";
import type { Eraser } from "../../ports/erasing/eraser.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaRecord, MetaStore } from "../../ports/meta.ts";
import { soundAcknowledgement } from "../../ports/records/acknowledgement-record.ts";

/** Deletes acknowledgements that are no longer in force, in a store that does not do it by itself. */
export async function forgetAcknowledgements(
  meta: MetaStore,
  eraser: Pick<Eraser, "removeRecord">,
  now: Instant,
): Promise<void> {
  for await (const record of listRecords(meta, "acknowledgement", { prefix: "" })) {
    const { until = Infinity } = soundAcknowledgement(record) ?? {};
    if (until <= now) await eraser.removeRecord("acknowledgement", record.key);
  }
}

/** The keys of acknowledgements that are not what was written. They mute no entry. */
export async function damagedAcknowledgements(meta: MetaStore): Promise<readonly MetaRecord["key"][]> {
  const damaged: string[] = [];
  for await (const record of listRecords(meta, "acknowledgement", { prefix: "" })) {
    if (soundAcknowledgement(record) === undefined) damaged.push(record.key);
  }
  return damaged;
}
