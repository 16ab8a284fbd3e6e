import type { Instant } from "../../job/model/instant.ts";
import { receiverRecord, type SentMessages } from "../../ports/records/notices/receiver-record.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { untilWritten } from "../../projection/until-written.ts";
import type { Receiver } from "../rules/rules.ts";
import type { OutboxPorts } from "./update-outbox.ts";

/**
 * The number of slices into which the period of a rate limit is divided. A message counts for at most one slice too
 * long.
 */
const SLICES = 60;

/** Whether a message may be sent now; otherwise, when to ask again. */
export type Slot = { readonly outcome: "free" } | { readonly outcome: "limited"; readonly until: Instant };

/**
 * Reserves one message of a receiver's rate limit. If the process is killed before it sends, the reservation is lost.
 */
export async function reserveSlot(
  { meta, retry }: Pick<OutboxPorts, "meta" | "retry">,
  { name, rateLimit }: Receiver,
  now: Instant,
): Promise<Slot> {
  if (rateLimit === undefined) return { outcome: "free" };
  const slots: Slot[] = [];
  await untilWritten(`the rate of receiver ${name}`, retry, async () => {
    const record = await readRecord(meta, receiverRecord, name);
    const { slot, sent } = reserved(record?.value ?? { slices: [] }, rateLimit, now);
    slots.splice(0, 1, slot);
    if (sent === undefined) return "written";
    return (await writeRecord(meta, receiverRecord, { key: name, value: sent, expected: record?.version ?? 0 }))
      .outcome;
  });
  return slots[0] ?? { outcome: "free" };
}

interface Reserved {
  readonly slot: Slot;
  /** Absent if nothing has to be stored. */
  readonly sent?: SentMessages;
}

function reserved({ slices }: SentMessages, limit: NonNullable<Receiver["rateLimit"]>, now: Instant): Reserved {
  const { max, perMillis } = limit;
  const sliceMillis = Math.max(1, Math.ceil(perMillis / SLICES));
  const recent = slices.filter(({ from }) => from + sliceMillis + perMillis > now);
  const messages = recent.reduce((sum, slice) => sum + slice.messages, 0);
  const [oldest] = recent;
  if (messages >= max && oldest !== undefined) {
    return { slot: { outcome: "limited", until: oldest.from + sliceMillis + perMillis } };
  }
  const from = Math.floor(now / sliceMillis) * sliceMillis;
  const current = recent.find((slice) => slice.from === from);
  const others = recent.filter((slice) => slice !== current);
  const sent = { slices: [...others, { from, messages: (current?.messages ?? 0) + 1 }] };
  return { slot: { outcome: "free" }, sent };
}
