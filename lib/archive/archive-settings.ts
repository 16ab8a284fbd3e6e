import { DEFAULT_LOG_DAYS, LEAST_LOG_DAYS } from "../../src/ports/deployment/retention.ts";
import { type Context, flagOf, InvalidSettingsError, numberOf } from "../context-values.ts";

/** How the log is archived, where `archive=true` is set. */
export interface ArchiveSettings {
  /**
   * For how many days the log is kept, 7 to 3,650. Older hours are in the archive only. The least is days more than
   * the archive may be behind. @default 35
   */
  readonly logDays: number;
  /**
   * For how many days S3 refuses to delete or replace a version of an object (Object Lock in governance mode), 1 to
   * 36,500. Only for new buckets, and it cannot be removed. @default no lock
   */
  readonly lockDays?: number;
}

/** The settings of the archive; `undefined` without one. Throws {@link InvalidSettingsError}. */
export function archiveOf(context: Context, disposable: boolean): ArchiveSettings | undefined {
  const isArchived = flagOf(context, "archive");
  const isLocked = context("archiveLockDays") !== undefined;
  if (isLocked && !isArchived) throw new InvalidSettingsError("archiveLockDays needs an archive. Add archive=true.");
  if (!isArchived && context("logDays") !== undefined) {
    throw new InvalidSettingsError("logDays needs an archive, which has the rest of the log. Add archive=true.");
  }
  if (isLocked && disposable) {
    throw new InvalidSettingsError(
      "A disposable stage cannot lock its archive: the bucket could not be deleted. Remove archiveLockDays.",
    );
  }
  if (!isArchived) return undefined;
  const logDays = numberOf(context, "logDays", { least: LEAST_LOG_DAYS, most: 3_650, default: DEFAULT_LOG_DAYS });
  if (!isLocked) return { logDays };
  return { logDays, lockDays: numberOf(context, "archiveLockDays", { least: 1, most: 36_500, default: 1 }) };
}
