import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { skipWithout } from "../running/skip-without.ts";

/**
 * About thirty recordings of real control planes with the ground truth, in a folder next to the checkout if present.
 */
const SHARED = join(import.meta.dirname, "../../../../shared/recordings");

/** The requirement of tests that replay recordings which are too large for the repository. */
export const RECORDINGS_BESIDE = {
  dependency: "recordings of real clusters",
  reason: "not found beside the checkout, in ../shared",
};

/** The recordings next to the checkout, or else the examples in it. */
export const recordingsFolder = existsSync(SHARED) ? SHARED : join(import.meta.dirname, "../../../examples");

/** The path of a recording that is not in the checkout. */
export function sharedRecording(file: string): string {
  return join(SHARED, file);
}

/** Whether the tests of these recordings are skipped. */
export function skipWithoutShared(files: readonly string[]): boolean {
  const absent = files.filter((file) => !existsSync(sharedRecording(file)));
  return skipWithout(absent.length === 0, { ...RECORDINGS_BESIDE, untested: `behaviour on ${absent.join(", ")}` });
}

/** The largest has 2,000 Jobs and is for load tests. The other two are raw exchanges and not recordings. */
const LEFT_OUT = /^(mixed-2000|watch-protocol)/;

/** The recordings in a fixed order, including audit logs. */
export function recordingFiles(folder: string = recordingsFolder): readonly string[] {
  return readdirSync(folder)
    .filter((file) => /^[a-z0-9-]+(\.audit)?\.ndjson(\.gz)?$/.test(file) && !LEFT_OUT.test(file))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** Recordings of real nodes, also next to the checkout. */
const SHARED_NODES = `${SHARED}-node`;

/** Each recording of a control plane or of real nodes, with its audit log if it has one. */
export function recordingsWithAudit(): readonly (readonly string[])[] {
  const ofNodes = existsSync(SHARED_NODES) ? recordingFiles(SHARED_NODES) : [];
  return [...pathsWithAudit(recordingsFolder, recordingFiles()), ...pathsWithAudit(SHARED_NODES, ofNodes)];
}

function pathsWithAudit(folder: string, files: readonly string[]): readonly (readonly string[])[] {
  return files
    .filter((file) => !file.includes(".audit."))
    .map((file) => [file, file.replace(".ndjson", ".audit.ndjson")].filter((name) => files.includes(name)))
    .map((names) => names.map((name) => join(folder, name)));
}
