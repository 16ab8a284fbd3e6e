import { formatInstant, type Instant, utcDay } from "../job/model/instant.ts";
import type { AppendOutcome, Log, LogItem } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { OpenedItem } from "../projection/log-segment.ts";
import { decodeSegment } from "../segment/decode-segment.ts";
import { sealSegment } from "../segment/seal-segment.ts";
import type { Segment } from "../segment/segment.ts";
import { isSealedOnArrival, segmentKey } from "../segment/segment-key.ts";
import { contentSession } from "./content-session.ts";
import type { LogDayRegistry } from "./log-day-registry.ts";
import { noteLateArrival } from "./note-late-arrival.ts";
import { setAside, type SetAsidePorts } from "./set-aside.ts";
import { identifySender, refusalOf, settleIdentity, type Sender } from "./sender.ts";

export interface IngestPorts extends SetAsidePorts {
  readonly log: Log;
  readonly days: LogDayRegistry;
}

/** What became of a message. Whatever it is, the message is done with: it need not come again. */
export type Ingested =
  | { readonly outcome: "appended" | "duplicate"; readonly item: OpenedItem }
  /** Other bytes lie under this key; they stay, these are set aside. Two exporters share a name, or one lied: somebody must look. */
  | { readonly outcome: "conflict"; readonly reason: string }
  | { readonly outcome: "setAside"; readonly reason: string };

export interface IngestOptions {
  /** For recordings: takes segments of any age, and gives one whose key is taken by other facts a name made of its content, because part of a recording may have been imported before. */
  readonly recorded?: boolean;
  /** Who sent it, as {@link SenderRegistry} knows. Absent where the process itself speaks: an import, an exporter within it. */
  readonly sender?: Sender;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** How old a segment may be: SQS keeps a message for 14 days at most. */
export const MAX_AGE_MS = 15 * DAY_MS;
/** How far its clock may be ahead. */
export const MAX_AHEAD_MS = 10 * 60 * 1000;

/** Appends a sealed segment to the log, once. What cannot be appended is set aside with its reason; nothing is dropped and nothing is overwritten. */
export async function ingestSegment(
  ports: IngestPorts,
  message: Uint8Array,
  now: Instant,
  { recorded = false, sender }: IngestOptions = {},
): Promise<Ingested> {
  const { log, meta, days } = ports;
  const aside = async <Outcome extends "conflict" | "setAside">(outcome: Outcome, reason: string) => {
    await setAside(ports, message, { reason, now, senderId: sender?.senderId });
    return { outcome, reason };
  };
  const decoded = decodeSegment(message);
  if (decoded.outcome === "rejected") return aside("setAside", decoded.reason);
  const { segment, sha256 } = decoded;
  const untimely = recorded ? undefined : untimelyReason(segment.sealedAt, now);
  if (untimely !== undefined) return aside("setAside", untimely);
  const refused = sender && (await refusedSpeech(meta, sender, segment));
  if (refused !== undefined) return aside("setAside", refused);
  await days.note({ cluster: segment.cluster, day: utcDay(segment.sealedAt) });
  const item: LogItem = { key: segmentKey(segment), bytes: message, sha256, factCount: segment.facts.length };
  const appended = await log.append(item);
  if (isNews(appended, recorded)) await noteLateArrival(meta, segment, now);
  if (appended.outcome !== "conflict") return { outcome: appended.outcome, item: { ...item, segment } };
  const name = contentSession(segment.facts, { onArrival: isSealedOnArrival(segment) });
  if (recorded && segment.session !== name) {
    return ingestSegment(ports, renamed(segment, name), now, { recorded });
  }
  return aside("conflict", `The log has another segment under ${item.key.sk} (SHA-256 ${appended.storedSha256}).`);
}

/** A redelivery may be of a segment whose delivery broke off before its arrival was noted; an import notes in the same transaction as it appends. */
function isNews({ outcome }: AppendOutcome, recorded: boolean): boolean {
  return outcome === "appended" || (outcome === "duplicate" && !recorded);
}

async function refusedSpeech(meta: MetaStore, sender: Sender, segment: Segment): Promise<string | undefined> {
  if (refusalOf(sender, segment) === undefined) {
    return refusalOf(await settleIdentity(meta, sender, segment), segment);
  }
  // What is remembered of a sender may be a minute old, and somebody may just have mended what it is refused for.
  return refusalOf(sender.kind === "registered" ? await identifySender(meta, sender.senderId) : sender, segment);
}

/** The same facts under a name that no other facts have. */
function renamed(segment: Segment, session: string): Uint8Array {
  return sealSegment({ ...segment, session, sequence: 0 }).bytes;
}

function untimelyReason(sealedAt: Instant, now: Instant): string | undefined {
  const sealed = `The segment says it was sealed at ${formatInstant(sealedAt)}`;
  if (sealedAt < now - MAX_AGE_MS) {
    return `${sealed}, more than 15 days ago. If it is genuine, import it: \`outlive import\` takes any age.`;
  }
  if (sealedAt > now + MAX_AHEAD_MS) return `${sealed}, more than 10 minutes from now. Set the exporter's clock.`;
  return undefined;
}
