import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { type ApiClient, getJson } from "../../src/host/client/api-client.ts";
import { MemoryObjects } from "../support/stores/memory-objects.ts";
import type { FormatStep } from "./format-steps.ts";

/** Copies of the database files of steps, until `clear`. */
export class FixtureDatabases {
  readonly folder = mkdtempSync(join(tmpdir(), "outlive-formats-"));

  /** A new copy of the file that the code of a step wrote. */
  copyOf(step: FormatStep): string {
    const path = join(mkdtempSync(join(this.folder, "copy-")), "outlive.sqlite");
    writeFileSync(path, fixture(step, "database.gz"));
    return path;
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What the code of a step answered about its Jobs. */
export function earlierAnswers(step: FormatStep): readonly JobAnswer[] {
  return (JSON.parse(fixture(step, "answers.json.gz").toString()) as { readonly items: readonly JobAnswer[] }).items;
}

/** The archive that the code of a step wrote. */
export function fixtureArchive(step: FormatStep): MemoryObjects {
  const files = JSON.parse(fixture(step, "archive.json.gz").toString()) as Readonly<Record<string, string>>;
  return new MemoryObjects(new Map(Object.entries(files).map(([key, bytes]) => [key, Buffer.from(bytes, "base64")])));
}

type Value = Readonly<Record<string, unknown>>;
/** The items of the tables of a stage. Bytes are base64. */
export type StageItems = Readonly<Record<StageTable, readonly Readonly<Record<string, Value>>[]>>;
export type StageTable = "log" | "meta" | "jobsA" | "jobsB" | "runsA" | "runsB";

/** The tables that the functions of a step wrote. */
export function fixtureStage(step: FormatStep): StageItems {
  return JSON.parse(fixture(step, "stage.json.gz").toString()) as StageItems;
}

function fixture({ name }: FormatStep, file: string): Buffer {
  return gunzipSync(readFileSync(join(import.meta.dirname, "fixtures", name, file)));
}

/** What no release may answer differently about facts that an earlier one knew. Rules of findings may change. */
export function essence(jobs: readonly JobAnswer[]): ReadonlyMap<string, object> {
  return new Map(jobs.toSorted((one, other) => (one.uid < other.uid ? -1 : 1)).map((job) => [job.uid, essenceOf(job)]));
}

function essenceOf(job: JobAnswer): object {
  const { name, verdict, status, pods, createdAt, startedAt, finishedAt, deletedAt } = job;
  const { basis: _, ...decided } = verdict;
  return { name, verdict: decided, status, pods, createdAt, startedAt, finishedAt, deletedAt };
}

export async function answersOf(api: ApiClient): Promise<readonly JobAnswer[]> {
  return (await getJson<{ readonly items: readonly JobAnswer[] }>(api, "/v1/jobs")).items;
}
