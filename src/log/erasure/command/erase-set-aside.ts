import { listRecords } from "../../../ports/list-records.ts";
import type { ErasableMessages } from "../../../ports/large-messages.ts";
import type { MetaRecord, MetaStore } from "../../../ports/meta.ts";
import { MAX_AGE_MS } from "../../../ports/segment-queue.ts";
import { principalIdOf } from "../../../ports/principal-id.ts";
import { listDecoded } from "../../../ports/records/record-codec.ts";
import { type SetAside, setAsideRecord } from "../../../ports/records/set-aside-record.ts";
import { eraseFacts } from "../../../segment/erase-facts.ts";
import type { Principal } from "../../principals.ts";
import type { Erasure } from "../erasure.ts";

/**
 * Removes erased facts from set-aside messages. An unreadable message may contain the data, so it is dropped, unless it
 * arrived after the erasure or its sender is registered for another cluster. The reason stays, and the erasure's id is
 * recorded ({@link droppedBy}). Returns how many records changed.
 */
export async function eraseSetAside(stores: SetAsideStores, erasure: Erasure): Promise<number> {
  const { meta, largeMessages } = stores;
  const senders = (await stores.senders?.()) ?? [];
  let changed = 0;
  for await (const record of listRecords(meta, "setAside", { prefix: "" })) {
    const value = await withoutErased({ senders, largeMessages }, record, erasure);
    if (value === undefined) continue;
    await meta.write("setAside", record.key, { value: setAsideRecord.encode(value), expected: record.version });
    changed += 1;
  }
  return changed;
}

/** Where messages are that were set aside. */
export interface SetAsideStores {
  readonly meta: MetaStore;
  /** Those that are too large for a record. @default there are none */
  readonly largeMessages?: ErasableMessages | undefined;
  /** Lists the registered senders. @default a tracker on one machine has no senders */
  readonly senders?: (() => Promise<readonly Principal[]>) | undefined;
}

/** A message that an erasure dropped, and why it had been set aside. */
export interface DroppedMessage extends Pick<SetAside, "reason" | "setAsideAt" | "bytes" | "senderId"> {
  /** The SHA-256 of the message. */
  readonly key: string;
}

/** The messages that an erasure dropped because they could not be read. */
export async function droppedBy(meta: MetaStore, erasureId: string): Promise<readonly DroppedMessage[]> {
  const dropped: DroppedMessage[] = [];
  for await (const { key, value } of listDecoded(meta, setAsideRecord, "")) {
    const { reason, setAsideAt, bytes, senderId, erasedBy } = value;
    if (erasedBy !== erasureId) continue;
    dropped.push({ key, reason, setAsideAt, bytes, ...(senderId !== undefined && { senderId }) });
  }
  return dropped;
}

interface Sources {
  readonly largeMessages: ErasableMessages | undefined;
  readonly senders: readonly Principal[];
}

async function withoutErased(
  { senders, largeMessages }: Sources,
  record: MetaRecord,
  erasure: Erasure,
): Promise<SetAside | undefined> {
  const stored = setAsideRecord.decode(record);
  const message = await messageOf(stored, largeMessages);
  if (message === undefined) return undefined;
  const outcome = eraseFacts(message, (segment) => {
    erasure.learn(segment);
    return (fact) => (erasure.isErased(segment.cluster, fact) ? erasure.scope.id : undefined);
  });
  const { message: _, keptAs, ...kept } = stored;
  switch (outcome.outcome) {
    case "unchanged":
      return undefined;
    case "erased":
      return remainsOf(stored, outcome.sealed.bytes, largeMessages);
    case "rejected": {
      if (!mayHaveErased(senders, stored, erasure)) return undefined;
      if (keptAs !== undefined) await largeMessages?.remove(keptAs);
      return { ...kept, settledAt: erasure.scope.at, erasedBy: erasure.scope.id };
    }
  }
}

/** A large message keeps its place, without the erased facts. */
async function remainsOf(
  stored: SetAside,
  remains: Uint8Array,
  largeMessages: ErasableMessages | undefined,
): Promise<SetAside> {
  if (stored.keptAs === undefined) return { ...stored, message: Buffer.from(remains).toString("base64") };
  await largeMessages?.keep(stored.keptAs, remains);
  return stored;
}

/** Whether a message that cannot be read may have erased data. */
function mayHaveErased(senders: readonly Principal[], stored: SetAside, erasure: Erasure): boolean {
  return stored.setAsideAt <= erasure.scope.at && !isOfOtherCluster(senders, stored, erasure);
}

async function messageOf(
  { message, keptAs }: SetAside,
  largeMessages: ErasableMessages | undefined,
): Promise<Uint8Array | undefined> {
  if (message !== undefined) return Buffer.from(message, "base64");
  return keptAs === undefined ? undefined : largeMessages?.read(keptAs);
}

/**
 * Whether the sender was registered for another cluster when it sent the message. A message is at most 15 days old when
 * it is accepted, so that a registration of that age is the one under which it was sent.
 */
function isOfOtherCluster(
  senders: readonly Principal[],
  { senderId, setAsideAt }: SetAside,
  { scope }: Erasure,
): boolean {
  if (senderId === undefined) return false;
  const principal = senders.find(({ principalId }) => principalId === principalIdOf(senderId));
  if (principal === undefined || principal.cluster === scope.cluster) return false;
  return principal.registeredAt <= setAsideAt - MAX_AGE_MS;
}
