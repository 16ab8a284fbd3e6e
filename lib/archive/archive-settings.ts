import { type Context, flagOf, InvalidSettingsError, numberOf } from "../context-values.ts";

/** How the log is archived, where `-c archive=true` is set. */
export interface ArchiveSettings {
  /**
   * For how many days S3 refuses to delete or replace a version of an object (Object Lock in governance mode), 1 to
   * 36,500. Only for new buckets, and it cannot be removed. @default no lock
   */
  readonly lockDays?: number;
}

/** The names that `-c` accepts. */
export const ARCHIVE_NAMES = ["archive", "archiveLockDays"] as const;

/** The settings of the archive; `undefined` without one. Throws {@link InvalidSettingsError}. */
export function archiveOf(context: Context, disposable: boolean): ArchiveSettings | undefined {
  const isArchived = flagOf(context, "archive");
  const isLocked = context("archiveLockDays") !== undefined;
  if (isLocked && !isArchived) throw new InvalidSettingsError("archiveLockDays needs an archive. Add -c archive=true.");
  if (isLocked && disposable) {
    throw new InvalidSettingsError(
      "A disposable stage cannot lock its archive: the bucket could not be deleted. Remove -c archiveLockDays.",
    );
  }
  if (!isArchived) return undefined;
  if (!isLocked) return {};
  return { lockDays: numberOf(context, "archiveLockDays", { least: 1, most: 36_500, default: 1 }) };
}
