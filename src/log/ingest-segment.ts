import { formatInstant, type Instant, utcDay } from "../job/model/instant.ts";
import { unknownErasures } from "./erasure/stored-erasures.ts";
import { withoutErased } from "./erasure/without-erased.ts";
import type { AppendOutcome, Log, LogItem, OpenedItem } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { MAX_AGE_MS, MAX_AHEAD_MS } from "../ports/segment-queue.ts";
import { decodeSegment } from "../segment/decode-segment.ts";
import { sealSegment } from "../segment/seal-segment.ts";
import type { Segment } from "../segment/segment.ts";
import { isSealedOnArrival, segmentKey } from "../segment/segment-key.ts";
import { contentSession } from "./content-session.ts";
import type { LogDayRegistry } from "./log-day-registry.ts";
import { noteLateArrival } from "./note-late-arrival.ts";
import { probeProblem } from "./probe.ts";
import { type Sender, senderProblem, settleIdentity, withIdentity } from "./sender.ts";
import { setAside, type SetAsidePorts } from "./set-aside.ts";

export interface IngestPorts extends SetAsidePorts {
  readonly log: Log;
  readonly days: Pick<LogDayRegistry, "note">;
}

/** The outcome of a message. In each case the message is done: it need not be delivered again. */
export type Ingested =
  | { readonly outcome: "appended" | "duplicate"; readonly item: OpenedItem }
  /** The log has a different segment under this key; this one is set aside. Two exporters use the same session name. */
  | { readonly outcome: "conflict"; readonly reason: string }
  | { readonly outcome: "setAside"; readonly reason: string };

export interface IngestOptions {
  readonly now: Instant;
  /**
   * For recordings: accepts segments of any age. A segment whose key is taken is renamed after its content, because a
   * part of the recording may have been imported before. @default false
   */
  readonly recorded?: boolean;
  /** @default the process itself: an import, or an exporter in this process */
  readonly sender?: Sender;
}

/** Appends a sealed segment to the log once. A segment that cannot be appended is set aside with the reason. */
export async function ingestSegment(
  ports: IngestPorts,
  message: Uint8Array,
  options: IngestOptions,
): Promise<Ingested> {
  const opened = await openMessage(ports, message, options);
  if (opened.outcome === "setAside") return opened;
  const { item } = opened;
  const appended = await append(ports, item, options);
  if (appended.outcome !== "conflict") return { outcome: appended.outcome, item };
  const { now, recorded = false } = options;
  const { segment } = item;
  const session = contentSession(segment.facts, { onArrival: isSealedOnArrival(segment) });
  if (recorded && segment.session !== session) {
    return ingestSegment(ports, renamed(segment, session), { now, recorded });
  }
  return setConflictAside(ports, { item, storedSha256: appended.storedSha256 }, options);
}

/** A log item and its segment. */
export type SealedItem = LogItem & { readonly segment: Segment };

/** A message that may be appended, or the reason why it was set aside. */
export type OpenedMessage =
  | { readonly outcome: "valid"; readonly item: SealedItem }
  | Extract<Ingested, { readonly outcome: "setAside" }>;

/** Opens and checks a message. One that is not valid is set aside. */
export async function openMessage(
  ports: IngestPorts,
  message: Uint8Array,
  options: IngestOptions,
): Promise<OpenedMessage> {
  const decoded = decodeSegment(message);
  if (decoded.outcome === "rejected") return rejected(ports, message, { ...options, reason: decoded.reason });
  const { segment, sha256, bytes } = await withoutErasedFacts(ports.meta, { ...decoded, bytes: message });
  const problem = (await remainsProblem(ports.meta, segment)) ?? (await problemOf(ports.meta, segment, options));
  if (problem !== undefined) return rejected(ports, bytes, { ...options, reason: problem });
  const factCount = segment.facts.length;
  return { outcome: "valid", item: { key: segmentKey(segment), bytes, sha256, factCount, segment } };
}

interface ReadMessage {
  readonly segment: Segment;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** Removes erased facts: a message that is delivered again must not bring them back, and is not set aside. */
async function withoutErasedFacts(meta: MetaStore, message: ReadMessage): Promise<ReadMessage> {
  const remains = await withoutErased(meta, message);
  return remains === undefined
    ? message
    : { segment: remains.segment, sha256: message.sha256, bytes: remains.sealed.bytes };
}

/** Only Outlive erases facts: a sender that claims it could hide another segment with the same key. */
async function remainsProblem(meta: MetaStore, segment: Segment): Promise<string | undefined> {
  if ((await unknownErasures(meta, segment)).length === 0) return undefined;
  return "The segment says that facts were erased from it, by an erasure that this stage does not have.";
}

/** A segment whose key another segment has. */
export interface ConflictingItem {
  readonly item: LogItem;
  readonly storedSha256: string;
}

export async function setConflictAside(
  ports: SetAsidePorts,
  { item, storedSha256 }: ConflictingItem,
  { now, sender }: IngestOptions,
): Promise<Extract<Ingested, { readonly outcome: "conflict" }>> {
  const reason = `The log has another segment under ${item.key.sk} (SHA-256 ${storedSha256}).`;
  await setAside(ports, item.bytes, { reason, now, senderId: sender?.senderId });
  return { outcome: "conflict", reason };
}

async function problemOf(
  meta: MetaStore,
  segment: Segment,
  { now, recorded = false, sender }: IngestOptions,
): Promise<string | undefined> {
  const problem = recorded ? undefined : (ageProblem(segment.sealedAt, now) ?? probeProblem(segment, now));
  return problem ?? (sender && (await currentSenderProblem(meta, sender, segment)));
}

async function rejected(
  ports: IngestPorts,
  message: Uint8Array,
  { reason, now, sender }: IngestOptions & { readonly reason: string },
): Promise<Extract<Ingested, { readonly outcome: "setAside" }>> {
  await setAside(ports, message, { reason, now, senderId: sender?.senderId });
  return { outcome: "setAside", reason };
}

/** The day of the log is recorded before its first item, so that a replay misses none. */
async function append(
  { log, days, meta }: IngestPorts,
  { segment, ...item }: SealedItem,
  { now, recorded = false }: IngestOptions,
): Promise<AppendOutcome> {
  await days.note({ cluster: segment.cluster, day: utcDay(segment.sealedAt) });
  const appended = await log.append(item);
  if (needsArrival(appended, recorded)) await noteLateArrival(meta, segment, now);
  return appended;
}

/**
 * Recorded for duplicates too: the first delivery may have been interrupted before its arrival was recorded. An import
 * records it in the same transaction as the append.
 */
function needsArrival({ outcome }: AppendOutcome, recorded: boolean): boolean {
  return outcome === "appended" || (outcome === "duplicate" && !recorded);
}

async function currentSenderProblem(meta: MetaStore, sender: Sender, segment: Segment): Promise<string | undefined> {
  if (senderProblem(sender, segment) === undefined) {
    return senderProblem(await settleIdentity(meta, sender, segment), segment);
  }
  // The cached identity may be a minute old, and an operator may have registered another one meanwhile.
  return senderProblem(sender.kind === "registered" ? await withIdentity(meta, sender) : sender, segment);
}

/** The same facts under a name that no other facts have. */
function renamed(segment: Segment, session: string): Uint8Array {
  return sealSegment({ ...segment, session, sequence: 0 }).bytes;
}

function ageProblem(sealedAt: Instant, now: Instant): string | undefined {
  const sealed = `The segment was sealed at ${formatInstant(sealedAt)}`;
  if (sealedAt < now - MAX_AGE_MS) {
    return `${sealed}, more than 15 days ago. If it is genuine, import it: \`outlive import\` accepts any age.`;
  }
  if (sealedAt > now + MAX_AHEAD_MS) return `${sealed}, more than 10 minutes from now. Set the exporter's clock.`;
  return undefined;
}
