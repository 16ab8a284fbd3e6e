import { listRecords } from "../ports/list-records.ts";
import type { MetaRecord, MetaStore } from "../ports/meta.ts";
import { type SetAside, setAsideRecord } from "../ports/records/set-aside-record.ts";
import { eraseFacts } from "../segment/erase-facts.ts";
import type { Erasure } from "./erasure.ts";

/**
 * Removes erased facts from the messages that were set aside. A message that cannot be read may have the data: it is
 * dropped, and its reason stays. Returns how many records were changed.
 */
export async function eraseSetAside(meta: MetaStore, erasure: Erasure): Promise<number> {
  let changed = 0;
  for await (const record of listRecords(meta, "setAside", { prefix: "" })) {
    const value = withoutErased(record, erasure);
    if (value === undefined) continue;
    await meta.write("setAside", record.key, { value: setAsideRecord.encode(value), expected: record.version });
    changed += 1;
  }
  return changed;
}

function withoutErased(record: MetaRecord, erasure: Erasure): SetAside | undefined {
  const stored = setAsideRecord.decode(record);
  if (stored.message === undefined) return undefined;
  const outcome = eraseFacts(Buffer.from(stored.message, "base64"), (segment) => {
    erasure.learn(segment);
    return (fact) => (erasure.isErased(segment.cluster, fact) ? erasure.scope.id : undefined);
  });
  const { message: _, ...kept } = stored;
  switch (outcome.outcome) {
    case "unchanged":
      return undefined;
    case "erased":
      return { ...kept, message: Buffer.from(outcome.sealed.bytes).toString("base64") };
    case "rejected":
      return stored.setAsideAt > erasure.scope.at ? undefined : { ...kept, settledAt: erasure.scope.at };
  }
}
