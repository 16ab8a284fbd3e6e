// Does damage of a database file that changes an answer stay unnoticed? Flips one random bit at many places of a file,
// each in a copy of its own. Every flip that changes an answer must be noticed by `verify`. Prints what a replay then
// repaired, what it did not, and where it refused to run, by the table whose page had the bit:
// node bench/drills/flipped-bits.ts [--flips 200] [--seed N] [--database FILE]
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { answersOf, noticedIn, within } from "../../test/support/killed/noticed.ts";
import { seededRandom } from "../fault-run/seeded-random.ts";
import { type Measure, report } from "../measuring/measure.ts";
import { benchOptions } from "../measuring/options.ts";

const options = benchOptions(["flips", "seed", "database"]);
const FLIPS = options.positive("flips", 200);
const seed = options.positive("seed", Date.now() % 1_000_000);
const random = seededRandom(seed);
const recordings = ["deadline", "duplicate-execution", "ttl"].flatMap((name) => [
  join(import.meta.dirname, `../../examples/${name}.ndjson.gz`),
  join(import.meta.dirname, `../../examples/${name}.audit.ndjson.gz`),
]);
const folder = mkdtempSync(join(tmpdir(), "outlive-flipped-"));
const intact = join(folder, "intact.sqlite");

/** `kept` and `refused`: verify noticed it, and a replay did not repair it, or ended with an error. */
type Fate = "harmless" | "missed" | "repaired" | "kept" | "refused";

/** The table or index of each page, by its number. */
function ownersOfPages(path: string): ReadonlyMap<number, string> {
  const sqlite = new DatabaseSync(path, { readOnly: true });
  const pages = sqlite.prepare("SELECT name, pageno FROM dbstat").all();
  sqlite.close();
  return new Map(pages.map(({ name, pageno }) => [Number(pageno), String(name)]));
}

async function fateOf(bytes: Buffer, bit: number, right: string): Promise<Fate> {
  const path = join(folder, "flipped.sqlite");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const flipped = Buffer.from(bytes);
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  writeFileSync(path, flipped);
  if ((await answersOf(path)) === right) return "harmless";
  if ((await noticedIn(path)).length === 0) return "missed";
  const isRefused = await within(path, (embedded) => embedded.replay()).then(
    () => false,
    () => true,
  );
  if ((await answersOf(path)) === right) return "repaired";
  return isRefused ? "refused" : "kept";
}

async function prepare(): Promise<void> {
  const given = options.text("database");
  if (given === undefined) {
    await within(intact, (embedded) => importRecordings(embedded, { clusterName: "east", files: recordings }));
  } else {
    copyFileSync(given, intact);
  }
  const sqlite = new DatabaseSync(intact);
  sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite.close();
}

try {
  await prepare();
  const right = await answersOf(intact);
  const [bytes, owners] = [readFileSync(intact), ownersOfPages(intact)];
  const pageBytes = bytes.readUInt16BE(16);
  const fates = new Map<string, number>();
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const bit = Math.floor(random() * bytes.length * 8);
    const owner = owners.get(Math.floor(bit / 8 / pageBytes) + 1) ?? "unused";
    const fate = await fateOf(bytes, bit, right);
    if (fate === "missed") console.error(`missed: bit ${bit} (${owner})`);
    fates.set(`${owner}: ${fate}`, (fates.get(`${owner}: ${fate}`) ?? 0) + 1);
  }
  const measures: Measure[] = [
    { name: "seed", value: seed, unit: "" },
    { name: "file", value: bytes.length, unit: "B" },
    ...[...fates.keys()].sort().map((name) => ({ name, value: fates.get(name) ?? 0, unit: "flips" })),
  ];
  report(measures);
} finally {
  rmSync(folder, { recursive: true });
}
