import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { skipWithout } from "../running/skip-without.ts";

/**
 * Some thirty recordings of real control planes, with what truly happened; they lie beside the checkout where they are
 * there at all.
 */
const SHARED = join(import.meta.dirname, "../../../../shared/recordings");

/** The requirement of tests that replay recordings which are too large for the repository. */
export const RECORDINGS_BESIDE = {
  dependency: "recordings of real clusters",
  reason: "not found beside the checkout, in ../shared",
};

/** All recordings there are: those beside the checkout, else the few that come with it. */
export const recordingsFolder = existsSync(SHARED) ? SHARED : join(import.meta.dirname, "../../../examples");

/** Where a recording is that does not come with the checkout. */
export function sharedRecording(file: string): string {
  return join(SHARED, file);
}

/** Whether the tests of these recordings are left out. */
export function skipWithoutShared(files: readonly string[]): boolean {
  const absent = files.filter((file) => !existsSync(sharedRecording(file)));
  return skipWithout(absent.length === 0, { ...RECORDINGS_BESIDE, untested: `behaviour on ${absent.join(", ")}` });
}

/** The largest has 2,000 Jobs and is read by what is about load; the other two are raw exchanges, no recordings. */
const LEFT_OUT = /^(mixed-2000|watch-protocol)/;

/** The recordings there are, audit logs among them, in an order of their own. */
export function recordingFiles(): readonly string[] {
  return readdirSync(recordingsFolder)
    .filter((file) => /^[a-z0-9-]+(\.audit)?\.ndjson(\.gz)?$/.test(file) && !LEFT_OUT.test(file))
    .toSorted((a, b) => (a < b ? -1 : 1));
}
