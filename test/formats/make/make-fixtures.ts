// Makes the fixtures of test/formats with the code of the commit of each step: `npm run fixtures:formats -- [NAME...]`
// for some steps, else for all. `--back` opens each with this checkout, and then again with the code that made it, and
// prints what that says.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { EVERY_FORMAT, ERASED_JOB, FORMAT_STEPS, type FormatStep } from "../format-steps.ts";
import { readFolder } from "./read-folder.ts";
import { stageOf } from "./stage-of.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FORMATS = join(ROOT, "test/formats");
const EXAMPLES = join(ROOT, "examples");
/** The recordings of each cluster. */
const RECORDINGS = {
  [EVERY_FORMAT]: [join(FORMATS, "every-format.ndjson")],
  "duplicate-execution": ["ndjson", "audit.ndjson"].map((end) => join(EXAMPLES, `duplicate-execution.${end}.gz`)),
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { back: { type: "boolean" } } });
const scratch = mkdtempSync(join(tmpdir(), "outlive-formats-"));
try {
  for (const step of FORMAT_STEPS) {
    if (positionals.length > 0 && !positionals.includes(step.name)) continue;
    const checkout = checkOut(step);
    try {
      if (values.back === true) goBack(step, checkout);
      else await makeFixtures(step, checkout);
    } finally {
      git("worktree", "remove", "--force", checkout);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function makeFixtures(step: FormatStep, checkout: string): Promise<void> {
  const folder = join(FORMATS, "fixtures", step.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const database = join(scratch, `${step.name}.sqlite`);
  const ran = (...words: readonly string[]) => outlive(checkout, [...words, "--database", database]);
  for (const [cluster, recordings] of Object.entries(RECORDINGS)) ran("import", "--cluster", cluster, ...recordings);
  if (step.segments.includes(5)) {
    const job = ["--cluster", EVERY_FORMAT, "-n", "batch", "--reason", "fixture", "--yes"];
    ran("erase", `job/${ERASED_JOB}`, ...job);
  }
  write("answers.json.gz", ran("jobs", "-A", "-o", "json"));
  if (step.archive === true) {
    ran("archive", "export", "--now", join(scratch, "archive"));
    write("archive.json.gz", JSON.stringify(readFolder(join(scratch, "archive"))));
    rmSync(join(scratch, "archive"), { recursive: true });
  }
  if (step.stage === true) write("stage.json.gz", JSON.stringify(await stageOf(checkout, segmentsIn(database))));
  write("database.gz", compacted(database));

  function write(file: string, content: string | Uint8Array): void {
    writeFileSync(join(folder, file), gzipSync(content, { level: 9 }));
  }
}

/** What the code of the step says about its file after this checkout has opened it. */
function goBack({ name }: FormatStep, checkout: string): void {
  const database = join(scratch, `${name}.sqlite`);
  writeFileSync(database, gunzipSync(readFileSync(join(FORMATS, "fixtures", name, "database.gz"))));
  const copy = `${database}.copy`;
  copyFileSync(database, copy);
  outlive(ROOT, ["jobs", "-A", "--database", database]);
  print(`${name}: ${say(checkout, database)}`);
  outlive(ROOT, ["replay", "--database", database]);
  print(`${name}, after a replay: ${say(checkout, database)}`);
  print(`${name}, the copy: ${say(checkout, copy)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function say(checkout: string, database: string): string {
  const { status, stdout, stderr } = start(checkout, ["jobs", "-A", "--no-headers", "--database", database]);
  const jobs = stdout.split("\n").length - 1;
  return `status ${status}, ${jobs} Jobs ${stderr.trim()}`;
}

/** Earlier migrations leave free pages. */
function compacted(path: string): Uint8Array {
  const copy = `${path}.copy`;
  rmSync(copy, { force: true });
  const database = new DatabaseSync(path);
  database.prepare("VACUUM INTO ?").run(copy);
  database.close();
  return readFileSync(copy);
}

function segmentsIn(path: string): readonly Uint8Array[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT bytes FROM log ORDER BY pk, sk").all();
  database.close();
  return rows.map(({ bytes }) => (bytes instanceof Uint8Array ? bytes : new Uint8Array()));
}

function outlive(checkout: string, words: readonly string[]): string {
  const { status, stdout, stderr } = start(checkout, words);
  if (status !== 0) throw new Error(`outlive ${words.join(" ")}: ${stderr}`);
  return stdout;
}

function start(checkout: string, words: readonly string[]) {
  const options = { encoding: "utf8", cwd: scratch, maxBuffer: 1 << 26 } as const;
  return spawnSync(process.execPath, ["--no-warnings", join(checkout, "cli/main.ts"), ...words], options);
}

/** The code of a commit in a folder of its own, with the packages that it names. */
function checkOut({ name, commit }: FormatStep): string {
  const folder = join(scratch, `code-${name}`);
  git("worktree", "add", "--detach", folder, commit);
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  return folder;
}

function git(...words: readonly string[]): void {
  run("git", words, ROOT);
}

function run(program: string, words: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")}: ${stderr}`);
}
