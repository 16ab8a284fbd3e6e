import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { NEWEST_DATABASE_SCHEMA } from "../../src/adapters/sqlite/database.ts";
import { requireDatabase } from "../../src/host/embedded/database-file.ts";
import { type FileFormats, readFileFormats } from "../../src/host/embedded/file-formats.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import { count } from "../../src/job/text/sentence.ts";
import { type Check, checkThat, failed, type Finding, ok, warning } from "../doctor/check.ts";
import { type FormatCheck, logCheck } from "./log-check.ts";
import { kubernetesCheck, runtimeChecks } from "./support-policy.ts";

/** Files of earlier schemas have no stored runs. A replay adds those of the log. */
const RUNS_SINCE = 9;

/**
 * Measured with 2,000 Jobs of 20 facts on two cores: 28 ms for a megabyte of a file of schema 1, 59 ms of schema 5, and
 * 8 ms for a Job of a replay.
 */
const MIGRATION_MILLIS_PER_MEGABYTE = 60;
const REPLAY_MILLIS_PER_JOB = 8;
/** The copy, the write-ahead log of the migration, and the growth of the file: each at most the size of the file. */
const SPACE_FOR_MIGRATION = 3;

const MEGABYTE = 1_000_000;

/** Where the copy is before a file is migrated. */
export function copyName(file: string, schema: number): string {
  return `${file}.schema-${schema}`;
}

/** What an upgrade of a database file to this release needs and does. Changes nothing. */
export async function checkFile(file: string): Promise<readonly FormatCheck[]> {
  requireDatabase(file);
  let formats: FileFormats | undefined;
  const read = await checkThat("database", async () => {
    formats = await readFileFormats(file);
    return ok(
      `${file} has schema ${formats.schema}, ${count(formats.jobs, "Job")} and ${megabytes(formats.bytes)}. ` +
        `This release reads schemas 1 to ${NEWEST_DATABASE_SCHEMA}, and writes ${NEWEST_DATABASE_SCHEMA}.`,
    );
  });
  const schemas = { readsUpTo: NEWEST_DATABASE_SCHEMA, ...(formats && { found: [formats.schema] }) };
  const first = [...runtimeChecks(), { ...read, ...schemas }];
  return formats === undefined ? first : [...first, ...upgradeChecks(file, formats)];
}

function upgradeChecks(file: string, formats: FileFormats): readonly FormatCheck[] {
  const { sample, segments, clusters } = formats;
  const versions = clusters.map(({ name, observed }) => ({ name, serverVersion: observed?.serverVersion }));
  return [
    logCheck(sample, count(segments, "segment")),
    ...(isOlder(formats) ? olderChecks(file, formats) : currentChecks()),
    kubernetesCheck(versions),
  ];
}

/** An empty file gets its tables when something is written. */
function isOlder({ schema }: FileFormats): boolean {
  return schema > 0 && schema < NEWEST_DATABASE_SCHEMA;
}

function currentChecks(): readonly Check[] {
  return [
    { check: "migration", ...ok("Nothing to migrate.") },
    { check: "replay", ...ok('Needed only if "outlive verify" reports differences.') },
    { check: "back", ...ok(`Any release that reads database schema ${NEWEST_DATABASE_SCHEMA} can open the file.`) },
  ];
}

function olderChecks(file: string, formats: FileFormats): readonly Check[] {
  const { schema, isInUse } = formats;
  const steps = `from schema ${schema} to ${NEWEST_DATABASE_SCHEMA}, in about ${about(migrationMillis(formats))}`;
  const inUse = isInUse ? "A process has the file open, or was killed: stop it first. " : "";
  return [
    {
      check: "migration",
      ...warning(`${inUse}"outlive upgrade" copies the file and migrates it ${steps}. Opening it also migrates it.`),
    },
    { check: "disk", ...diskSpace(file, formats) },
    { check: "replay", ...replayAfter(formats) },
    {
      check: "back",
      ...warning(
        "Earlier releases cannot open the migrated file. They can open the copy, " +
          `${copyName(file, schema)}, which lacks what arrives later.`,
      ),
    },
  ];
}

function replayAfter({ schema, jobs }: FileFormats): Finding {
  if (schema >= RUNS_SINCE) return ok('Needed only if "outlive verify" reports differences.');
  return warning(
    `Run "outlive replay" afterwards, which takes about ${about(jobs * REPLAY_MILLIS_PER_JOB)}: runs and records of ` +
      "series are missing until then. Queries continue to work meanwhile.",
  );
}

function diskSpace(file: string, { bytes }: FileFormats): Finding {
  const { bavail, bsize } = statfsSync(dirname(file));
  const [needed, free] = [bytes * SPACE_FOR_MIGRATION, bavail * bsize];
  const space = `The copy and the migration need up to ${megabytes(needed)}, and ${megabytes(free)} are free.`;
  return needed <= free ? ok(space) : failed(`${space} Free some space, or move the file.`);
}

function migrationMillis({ bytes }: FileFormats): number {
  return (bytes / MEGABYTE) * MIGRATION_MILLIS_PER_MEGABYTE;
}

function about(millis: number): string {
  return millis < 1_000 ? "a second" : humanDuration(millis);
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`;
}
