import type { Instant } from "../job/model/instant.ts";
import type { TableExpiry } from "../ports/expiry/table-expiry.ts";

/**
 * Expiry is suspended while the archive is so far behind. Items expire seven days after they were written at the
 * earliest (the log), or a day after their Job ended (Jobs). A change of a table's expiry takes up to an hour, and
 * another hour may pass before it is accepted.
 */
export const MOST_ARCHIVE_LAG_MS = 12 * 3_600_000;

export interface GuardRun {
  readonly now: Instant;
  /** Until when the log is archived and verified; `undefined` if nothing is. */
  readonly verifiedUntil: Instant | undefined;
}

export interface GuardedTable {
  readonly table: string;
  /** What the table does now. `refused`: it should change, and the next run tries again. */
  readonly expiry: "on" | "off" | "changing" | "refused";
}

export interface Guarded {
  /** Whether the archive is close enough behind the log that data may expire. */
  readonly mayExpire: boolean;
  readonly tables: readonly GuardedTable[];
}

/**
 * Lets tables delete expired items only while the archive provably has everything that could expire within the next
 * half day. Until the first hour is verified, nothing expires.
 */
export async function guardExpiry(tables: readonly TableExpiry[], { now, verifiedUntil }: GuardRun): Promise<Guarded> {
  const mayExpire = verifiedUntil !== undefined && now - verifiedUntil <= MOST_ARCHIVE_LAG_MS;
  const guarded: GuardedTable[] = [];
  for (const table of tables) guarded.push({ table: table.name, expiry: await guard(table, mayExpire ? "on" : "off") });
  return { mayExpire, tables: guarded };
}

async function guard(table: TableExpiry, wanted: "on" | "off"): Promise<GuardedTable["expiry"]> {
  const current = await table.read();
  if (current === wanted || current === "changing") return current;
  return (await table.set(wanted)) === "set" ? wanted : "refused";
}
