import { LogDayRegistry } from "../../log/log-day-registry.ts";
import { withoutMessages } from "../../kubernetes/recording/without-messages.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { LogItem } from "../../ports/log.ts";
import { ARCHIVE_KEY } from "../../ports/meta-key.ts";
import type { MetaKind } from "../../ports/meta.ts";
import { logDays, readWholeDay } from "../../log/read-log.ts";
import type { Rebuilt } from "../../upkeep/replay/rebuild-projection.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { sealSegment } from "../../segment/seal-segment.ts";
import type { Embedded } from "./embedded-tracker.ts";

export interface CopiedLog {
  readonly segments: number;
  /** How many copied items contained the text of messages. */
  readonly withMessages: number;
  /** Segments that this release cannot read. They are not copied. */
  readonly unreadable: number;
  readonly rebuilt: Rebuilt;
}

/** Records that do not follow from the log. Set-aside messages are not copied, because they may contain texts. */
const COPIED: readonly MetaKind[] = ["cluster", "position", "late"];

/**
 * Copies the log into an empty tracker without the text of messages, and projects it. A log item never changes, so the
 * log itself keeps its texts. Each segment of the copy has the name of the original.
 */
export async function copyWithoutMessages(
  from: Embedded,
  to: Embedded,
  onProgress: (segments: number) => void,
): Promise<CopiedLog> {
  await copyRecords(from, to);
  const tally = { segments: 0, withMessages: 0, unreadable: 0 };
  const days = new LogDayRegistry(to.meta);
  for await (const day of logDays(from.meta)) {
    await days.note(day);
    for await (const items of readWholeDay(from.log, day)) {
      for (const item of items) tally[await copyItem(to, item)] += 1;
      onProgress(tally.segments + tally.withMessages);
    }
  }
  const { segments, withMessages, unreadable } = tally;
  return { segments: segments + withMessages, withMessages, unreadable, rebuilt: await to.replay() };
}

async function copyRecords(from: Embedded, to: Embedded): Promise<void> {
  for (const kind of COPIED) {
    for await (const { key, value } of listRecords(from.meta, kind, { prefix: "" })) {
      // The copy has another log, so it cannot continue the archive.
      if (key === ARCHIVE_KEY) continue;
      await to.meta.write(kind, key, { value, expected: 0 });
    }
  }
}

/** Copies an item without the messages of its facts. Returns the count of the summary to which the item belongs. */
async function copyItem(to: Embedded, item: LogItem): Promise<"segments" | "withMessages" | "unreadable"> {
  const decoded = decodeSegment(item.bytes);
  if (decoded.outcome === "rejected") return "unreadable";
  const { segment } = decoded;
  const facts = segment.facts.map(withoutMessages);
  if (facts.every((fact, index) => fact === segment.facts[index])) {
    await to.log.append(item);
    return "segments";
  }
  await to.log.append(sealSegment({ ...segment, facts }));
  return "withMessages";
}
