import { mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { importRecordings } from "../src/host/embedded/import-recordings.ts";
import { inProcessClient } from "../src/host/embedded/in-process-client.ts";
import { withDatabase } from "../src/host/embedded/with-database.ts";

// Prints which files of src run for one warm GET of a Job on SQLite, and from a recording to that answer, by V8's
// precise coverage. A file counts if one of its functions was called; what runs while modules are loaded does not.
// Usage: node tools/executed-files.ts [--list] RECORDING   (examples/ has recordings)

const ROOT = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({ options: { list: { type: "boolean" } }, allowPositionals: true });
const [recording] = positionals;
if (recording === undefined) {
  process.stderr.write("Name a recording: node tools/executed-files.ts [--list] RECORDING\n");
  process.exit(2);
}

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const folder = mkdtempSync(join(tmpdir(), "outlive-executed-"));
try {
  const { imported, answered } = await run(join(folder, "outlive.db"), recording);
  report("files executed for one warm GET of a Job", answered);
  report("files executed from a recording to the answer", new Set([...imported, ...answered]));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(database: string, file: string) {
  return withDatabase(database, { create: true }, async (embedded) => {
    await executedFiles();
    await importRecordings(embedded, { clusterName: "recording", files: [file] });
    const imported = await executedFiles();
    const client = inProcessClient(embedded, database);
    const get = async (path: string) => (await client.request(path)).json() as Promise<unknown>;
    const { items } = (await get("/v1/jobs?limit=1")) as { readonly items: readonly Record<string, string>[] };
    const [job] = items;
    if (job === undefined) throw new Error(`The recording ${file} has no Job.`);
    const path = `/v1/clusters/${job.cluster}/namespaces/${job.namespace}/jobs/${job.name}`;
    await get(path);
    await executedFiles();
    await get(path);
    return { imported, answered: await executedFiles() };
  });
}

/** The files of src in which a function was called since the last call. */
async function executedFiles(): Promise<ReadonlySet<string>> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const files = result
    .filter(({ url, functions }) => url.startsWith("file:") && functions.some(isCalled))
    .map(({ url }) => relative(ROOT, fileURLToPath(url)));
  return new Set(files.filter((path) => path.startsWith("src/")));
}

/** The function without a name that begins a script is the module itself. */
function isCalled({
  functionName,
  ranges,
}: {
  functionName: string;
  ranges: readonly { startOffset: number; count: number }[];
}): boolean {
  const [range] = ranges;
  return range !== undefined && range.count > 0 && !(functionName === "" && range.startOffset === 0);
}

function report(what: string, files: ReadonlySet<string>): void {
  process.stdout.write(`${what}: ${files.size}\n`);
  if (values.list === true) for (const file of [...files].toSorted()) process.stdout.write(`  ${file}\n`);
}
