// Does a command that is killed leave wrong answers that nothing notices? Runs replay, archive import and erase as
// processes, and kills each with SIGKILL at a random moment. Then its answers must be the old or the new ones, or
// `verify` must fail. A repetition must give the new ones:
// node bench/drills/killed-commands.ts [--kills 6] [--seed N]
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { archiveDatabase } from "../../src/host/embedded/archive-database.ts";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { createFolderObjects } from "../../src/adapters/folder/folder-objects.ts";
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
}

/** Runs the command line, and kills it after this many milliseconds. */
async function outlive(args: readonly string[], cwd: string, killAfter?: number): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, "cli/outlive.js"), ...args], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  if (killAfter !== undefined) {
    await Promise.race([setTimeout(killAfter), ended]);
    child.kill("SIGKILL");
  }
  return { status: await ended, stdout };
}

async function answersIn(stage: string): Promise<string> {
  const listed = await outlive(["jobs", "-A", "-o", "json"], stage);
  return `${listed.status} ${listed.stdout}`;
}

const ERASE = ["erase", "--cluster", "east", "-n", "ttl", "--reason", "drill", "--archive", "./archive", "--yes"];
const COMMANDS = [
  { name: "replay", from: "archived", args: ["replay"], kills: KILLS },
  { name: "archive import", from: "archive-only", args: ["archive", "import", "./archive"], kills: KILLS + 3 },
  { name: "erase", from: "archived", args: ERASE, kills: KILLS },
] as const;

const HOUR_MILLIS = 3_600_000;

async function prepare(): Promise<void> {
  const [archived, archiveOnly] = [join(folder, "archived"), join(folder, "archive-only")];
  mkdirSync(archived);
  await outlive(["import", "--cluster", "east", ...recordings], archived);
  const embedded = openEmbedded(join(archived, "outlive.sqlite"));
  // The hour of the import has not closed yet.
  const archive = createFolderObjects(join(archived, "archive"));
  await archiveDatabase(embedded, archive, { now: Date.now() + 2 * HOUR_MILLIS });
  embedded.close();
  cpSync(join(archived, "archive"), join(archiveOnly, "archive"), { recursive: true });
}

async function drill({ name, from, args, kills }: (typeof COMMANDS)[number]): Promise<readonly Measure[]> {
  const source = join(folder, from);
  const undisturbed = join(folder, "undisturbed");
  cpSync(source, undisturbed, { recursive: true });
  const old = await answersIn(undisturbed);
  const began = performance.now();
  await outlive(args, undisturbed);
  const millis = performance.now() - began;
  const after = await answersIn(undisturbed);
  const counts = { killed: 0, wrong: 0, notContinued: 0 };
  for (let kill = 0; kill < kills; kill += 1) {
    const stage = join(folder, "killed");
    cpSync(source, stage, { recursive: true });
    if ((await outlive(args, stage, millis * (0.2 + 0.8 * random()))).status === null) counts.killed += 1;
    const left = await answersIn(stage);
    if (left !== old && left !== after && (await outlive(["verify"], stage)).status === 0) counts.wrong += 1;
    await outlive(args, stage);
    if ((await answersIn(stage)) !== after) counts.notContinued += 1;
    rmSync(stage, { recursive: true });
  }
  rmSync(undisturbed, { recursive: true });
  return [
    { name: `${name}: killed of ${kills}`, value: counts.killed, unit: "runs" },
    { name: `${name}: wrong answers that verify accepts`, value: counts.wrong, unit: "runs" },
    { name: `${name}: repetitions that did not finish it`, value: counts.notContinued, unit: "runs" },
  ];
}

try {
  await prepare();
  const measures: Measure[] = [{ name: "seed", value: seed, unit: "" }];
  for (const command of COMMANDS) measures.push(...(await drill(command)));
  report(measures);
} finally {
  rmSync(folder, { recursive: true });
}
