// Does a command that is killed leave wrong answers that nothing notices? Runs commands that write in several steps as
// processes, and kills each with SIGKILL at a random moment. Then its answers must be the old or the new ones, or
// `verify` must fail. A repetition must give the new ones. Retention may also have deleted some of its Jobs:
// node bench/drills/killed-commands.ts [--kills 6] [--seed N]
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { archiveDatabase } from "../../src/host/embedded/archive-database.ts";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { createFolderObjects } from "../../src/adapters/folder/folder-objects.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { seededRandom } from "../fault-run/seeded-random.ts";
import { type Measure, report } from "../measuring/measure.ts";
import { benchOptions } from "../measuring/options.ts";

const options = benchOptions(["kills", "seed"]);
const KILLS = options.positive("kills", 6);
const seed = options.positive("seed", Date.now() % 1_000_000);
const random = seededRandom(seed);
const root = join(import.meta.dirname, "../..");
const recordings = ["deadline", "ttl"].flatMap((name) => [
  join(root, `examples/${name}.ndjson.gz`),
  join(root, `examples/${name}.audit.ndjson.gz`),
]);
const folder = mkdtempSync(join(tmpdir(), "outlive-killed-"));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  /** How long it worked. */
  readonly millis: number;
}

interface Running {
  /** Kills the process after it has worked for this many milliseconds. */
  readonly killAfter?: number;
  /** What a process that serves writes when it begins to work, and when it has done it. Then it is stopped. */
  readonly said?: { readonly begun: string; readonly done: string } | undefined;
}

/** For a process that has nothing left to do. */
const LONGEST_MILLIS = 5_000;

/** Runs the command line. */
async function outlive(args: readonly string[], cwd: string, { killAfter, said }: Running = {}): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, "cli/outlive.js"), ...args], { cwd, stdio: "pipe" });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const texts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
  const hasSaid = async (text: string): Promise<void> => {
    while (!texts.stderr.includes(text) && child.exitCode === null && child.signalCode === null) await setTimeout(1);
  };
  if (said !== undefined) await hasSaid(said.begun);
  const began = performance.now();
  if (killAfter !== undefined) {
    await Promise.race([setTimeout(killAfter), ended]);
    child.kill("SIGKILL");
  } else if (said !== undefined) {
    await Promise.race([hasSaid(said.done), setTimeout(LONGEST_MILLIS)]);
    child.kill();
  }
  return { status: await ended, stdout: texts.stdout, millis: performance.now() - began };
}

const IN_DATABASE = { answers: [["jobs", "-A", "-o", "json"]], verify: ["verify"] } as const;
const IMPORTED = ["--database", "imported.sqlite"] as const;
const IN_ARCHIVE = {
  answers: [
    ["archive", "import", "./archive", ...IMPORTED],
    ["jobs", "-A", "-o", "json", ...IMPORTED],
  ],
  verify: ["archive", "verify", "./archive"],
} as const;

const ERASE = ["erase", "--cluster", "east", "-n", "ttl", "--reason", "drill", "--archive", "./archive", "--yes"];
interface Command {
  readonly name: string;
  /** The folder that it begins in. */
  readonly from: "imported" | "archived" | "archive-only";
  readonly args: readonly string[];
  readonly said?: Running["said"];
  /** The commands that read what it has written, and the one that checks it. */
  readonly answers: readonly (readonly string[])[];
  readonly verify: readonly string[];
  /** Whether some of the old Jobs are right, too. */
  readonly isPartRight?: boolean;
}

const COMMANDS: readonly Command[] = [
  { name: "import", from: "imported", args: ["import", "--cluster", "west", ...recordings], ...IN_DATABASE },
  { name: "replay", from: "archived", args: ["replay"], ...IN_DATABASE },
  { name: "archive export", from: "imported", args: ["archive", "export", "./archive", "--now"], ...IN_ARCHIVE },
  { name: "archive import", from: "archive-only", args: ["archive", "import", "./archive"], ...IN_DATABASE },
  { name: "erase", from: "archived", args: ERASE, ...IN_DATABASE },
  {
    name: "retention",
    from: "imported",
    args: ["serve", "--retention", "1h", "--listen", "127.0.0.1:0"],
    said: { begun: "Serving ", done: "Deleted " },
    isPartRight: true,
    ...IN_DATABASE,
  },
];

/** The listed Jobs, one a line. A database that does not exist has none, like an empty one. */
async function answersIn(stage: string, { answers }: Command): Promise<string> {
  let stdout = "";
  for (const args of answers) ({ stdout } = await outlive(args, stage));
  rmSync(join(stage, "imported.sqlite"), { force: true });
  if (stdout === "") return "";
  const { items } = JSON.parse(stdout) as { readonly items: readonly unknown[] };
  return items.map((item) => JSON.stringify(item)).join("\n");
}

const HOUR_MILLIS = 3_600_000;

/** Enough Jobs for a retention that takes a while. */
const CLUSTERS = ["east", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];

async function prepare(): Promise<void> {
  await importInto("imported", CLUSTERS);
  await importInto("archived", ["east"]);
  const embedded = openEmbedded(join(folder, "archived/outlive.sqlite"));
  // The hour of the import has not closed yet.
  const archive = createFolderObjects(join(folder, "archived/archive"));
  await archiveDatabase(embedded, archive, { now: Date.now() + 2 * HOUR_MILLIS });
  embedded.close();
  cpSync(join(folder, "archived/archive"), join(folder, "archive-only/archive"), { recursive: true });
}

async function importInto(stage: Command["from"], clusterNames: readonly string[]): Promise<void> {
  mkdirSync(join(folder, stage));
  const embedded = openEmbedded(join(folder, stage, "outlive.sqlite"));
  for (const clusterName of clusterNames) await importRecordings(embedded, { clusterName, files: recordings });
  embedded.close();
}

async function drill(command: Command): Promise<readonly Measure[]> {
  const { name, args, said } = command;
  const source = join(folder, command.from);
  const undisturbed = join(folder, "undisturbed");
  cpSync(source, undisturbed, { recursive: true });
  const old = await answersIn(undisturbed, command);
  const { millis } = await outlive(args, undisturbed, { said });
  const after = await answersIn(undisturbed, command);
  const counts = { killed: 0, between: 0, wrong: 0, notContinued: 0 };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const stage = join(folder, "killed");
    cpSync(source, stage, { recursive: true });
    const killAfter = millis * (said === undefined ? 0.2 + 0.8 * random() : random());
    if ((await outlive(args, stage, { killAfter, said })).status === null) counts.killed += 1;
    const left = await answersIn(stage, command);
    if (left !== old && left !== after) {
      counts.between += 1;
      const isRight = command.isPartRight === true && isPart(left, old);
      if (!isRight && (await outlive(command.verify, stage)).status === 0) counts.wrong += 1;
    }
    await outlive(args, stage, { said });
    if ((await answersIn(stage, command)) !== after) counts.notContinued += 1;
    rmSync(stage, { recursive: true });
  }
  rmSync(undisturbed, { recursive: true });
  return [
    { name: `${name}: killed of ${KILLS}`, value: counts.killed, unit: "runs" },
    { name: `${name}: neither old nor new answers`, value: counts.between, unit: "runs" },
    { name: `${name}: wrong answers that verify accepts`, value: counts.wrong, unit: "runs", goal: "<= 0" },
    { name: `${name}: repetitions that did not finish it`, value: counts.notContinued, unit: "runs", goal: "<= 0" },
  ];
}

/** Whether a list has some of the Jobs of another one, unchanged. */
function isPart(left: string, whole: string): boolean {
  const of = new Set(whole.split("\n"));
  return left.split("\n").every((job) => of.has(job));
}

try {
  await prepare();
  const measures: Measure[] = [{ name: "seed", value: seed, unit: "" }];
  for (const command of COMMANDS) measures.push(...(await drill(command)));
  report(measures);
} finally {
  rmSync(folder, { recursive: true });
}
