import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { packageFolder } from "../../src/host/runtime/package-folder.ts";

/** A recorded incident: its watch events, and its audit events if it has any. */
export interface ExampleRecording {
  /** The name of its files, and of the cluster for the import: each recording is of another cluster. */
  readonly name: string;
  readonly files: readonly string[];
}

const FOLDER = packageFolder("examples");
const FILE = /^(?<name>[A-Za-z0-9-]+)(?:\.audit)?\.ndjson(?:\.gz)?$/;

/** The recordings that come with the package, by name. */
export async function exampleRecordings(): Promise<readonly ExampleRecording[]> {
  const names = await fileNames();
  const groups = Map.groupBy(names, (file) => FILE.exec(file)?.groups?.["name"]);
  const recordings = [...groups].flatMap(([name, files]) =>
    name === undefined ? [] : [{ name, files: files.map((file) => join(FOLDER, file)) }],
  );
  if (recordings.length === 0) throw missing();
  return recordings;
}

async function fileNames(): Promise<readonly string[]> {
  try {
    return (await readdir(FOLDER)).sort();
  } catch (cause) {
    throw missing(cause);
  }
}

function missing(cause?: unknown): CommandFailure {
  return new CommandFailure(2, `No example recordings in ${FOLDER}. Install Outlive again.`, {
    cause,
  });
}
