import type { Instant } from "../../job/model/instant.ts";
import type { TableExpiry } from "../../ports/expiry/table-expiry.ts";

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
  /** Whether a rule or hold that may keep stored Jobs longer has not been applied to all of them. @default false */
  readonly isPending?: boolean;
}

/** The state of a table. `refused`: its state should change, and the next run tries again. */
export type GuardedTable =
  | { readonly table: string; readonly expiry: "on" | "off" | "changing" | "refused" }
  /** The table could not be read or changed, so its state is unknown. */
  | { readonly table: string; readonly expiry: "unknown"; readonly cause: unknown };

/**
 * How far the archive is verified. `ahead`: until an instant in the future, so its manifests or a clock are wrong. It
 * may lack data that arrives until then.
 */
export type ArchiveProgress = "none" | "current" | "behind" | "ahead";

export interface Guarded {
  readonly archive: ArchiveProgress;
  /** Whether the archive is current, and stored Jobs follow the rules and holds, so that data may expire. */
  readonly mayExpire: boolean;
  readonly tables: readonly GuardedTable[];
}

/**
 * Lets tables delete expired items only while the archive provably has everything that could expire within the next
 * half day. Nothing expires before the first hour is verified, or while a rule or hold is not applied to all stored
 * Jobs. A table that fails does not stop the others.
 */
export async function guardExpiry(tables: readonly TableExpiry[], run: GuardRun): Promise<Guarded> {
  const archive = progressOf(run);
  const mayExpire = archive === "current" && run.isPending !== true;
  const guarded: GuardedTable[] = [];
  for (const table of tables) {
    const [outcome] = await Promise.allSettled([guard(table, mayExpire ? "on" : "off")]);
    guarded.push(
      outcome.status === "fulfilled"
        ? { table: table.name, expiry: outcome.value }
        : { table: table.name, expiry: "unknown", cause: outcome.reason },
    );
  }
  return { archive, mayExpire, tables: guarded };
}

function progressOf({ now, verifiedUntil }: GuardRun): ArchiveProgress {
  if (verifiedUntil === undefined) return "none";
  if (verifiedUntil > now) return "ahead";
  return now - verifiedUntil <= MOST_ARCHIVE_LAG_MS ? "current" : "behind";
}

async function guard(table: TableExpiry, wanted: "on" | "off"): Promise<"on" | "off" | "changing" | "refused"> {
  const current = await table.read();
  if (current === wanted || current === "changing") return current;
  return (await table.set(wanted)) === "set" ? wanted : "refused";
}
