import { DAY_MILLIS, formatInstant, type Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { CHANGES_BEGIN_KEY } from "../../ports/meta-key.ts";
import { changesBegin, CHANGES_DAYS } from "../../ports/records/changes-record.ts";
import { readRecord } from "../../ports/records/record-codec.ts";
import type { JobChange } from "../../explain/answer-document.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { packArrivedAt } from "../../segment/pack-key.ts";
import type { Scope } from "../access/scope.ts";
import { isSelected, type JobFilter } from "../list/job-filter.ts";
import type { QueryPorts } from "../ports.ts";
import { decodeChangesCursor, encodeFeed, type FeedPosition } from "./changes-cursor.ts";
import { feedFrom, followFeed } from "./follow-feed.ts";

/** Changes need no projection. */
export type ChangesPorts = Pick<QueryPorts, "meta">;

export interface ChangesQuery {
  readonly filter: JobFilter;
  /** No further record is read after this many changes. The last record may add up to 99 more. */
  readonly limit: number;
  readonly now: Instant;
  readonly cursor?: string | undefined;
  /** Where to begin without a cursor. @default now */
  readonly since?: Instant | undefined;
  /** Returns every change at once; some again with the next cursor, if they are many. @default false */
  readonly isPrompt?: boolean;
}

export type ChangesPage =
  | {
      readonly outcome: "listed";
      readonly items: readonly JobChange[];
      /** The cursor for later changes. It expires with the changes after it, {@link CHANGES_DAYS} after its instant. */
      readonly nextCursor: string;
      /** Whether further changes may be available now. */
      readonly more: boolean;
    }
  | RefusedCursor;

/** `expiredCursor`: some changes after it may have been deleted. */
export interface RefusedCursor {
  readonly outcome: "badCursor" | "expiredCursor";
  readonly problem: string;
}

/**
 * The status changes since a cursor, in the order in which projectors announced them. A caller that follows the cursors
 * gets every change at least once. The filter applies to the Job after the change. The cursor contains no filter, so
 * that a stream may continue with another one.
 */
export async function listChanges({ meta }: ChangesPorts, scope: Scope, query: ChangesQuery): Promise<ChangesPage> {
  const start = await changesStart({ meta }, query);
  if (start.outcome !== "position") return start;
  const page = await followFeed(meta, { ...query, from: start.from }, ({ job }) =>
    isSelected(scope, query.filter, job),
  );
  return { outcome: "listed", items: page.items, nextCursor: encodeFeed(page.position), more: page.more };
}

export type ChangesStart = { readonly outcome: "position"; readonly from: FeedPosition } | RefusedCursor;

/** Where a reader of changes begins. */
export async function changesStart(
  { meta }: ChangesPorts,
  { cursor, since, now }: Pick<ChangesQuery, "cursor" | "since" | "now">,
): Promise<ChangesStart> {
  const oldest = now - CHANGES_DAYS * DAY_MILLIS;
  // A change is readable some time after its instant, so a reader begins a little earlier than now.
  const begin = Math.max(since ?? now - SETTLED_AFTER_MS, oldest);
  if (cursor === undefined) return { outcome: "position", from: feedFrom(begin) };
  const decoded = decodeChangesCursor(cursor);
  if (decoded.outcome === "refused") return { outcome: "badCursor", problem: decoded.problem };
  const { position } = decoded;
  if ("restartAt" in position) {
    return { outcome: "badCursor", problem: await restartProblem(meta, position.restartAt) };
  }
  const at = packArrivedAt(position.floor);
  return at < oldest ? { outcome: "expiredCursor", problem: expired(at) } : { outcome: "position", from: position };
}

function expired(at: Instant): string {
  return (
    `The cursor is of ${formatInstant(at)}, and changes are kept for ${CHANGES_DAYS} days: some that followed it ` +
    "may be deleted. Read the list of Jobs once, then continue without a cursor."
  );
}

async function restartProblem(meta: MetaStore, restartAt: Instant): Promise<string> {
  const begin = (await readRecord(meta, changesBegin, CHANGES_BEGIN_KEY))?.value.since;
  const isComplete = begin !== undefined && begin <= restartAt;
  return (
    "The cursor is from an earlier version of Outlive, or from another deployment. Omit it and begin with " +
    `\`since=${formatInstant(restartAt)}\`: ` +
    (isComplete
      ? "no change is missed, and some are repeated."
      : "changes from before the upgrade are not listed, so read the list of Jobs once.")
  );
}
