// Do metrics and notifications stay exact when processes are killed? One sends recording mixed-2000 twice, in two
// orders, to a tracker whose rules notify two receivers of failed Jobs. It is killed with SIGKILL twenty times at
// random instants, and started again. Every tenth message is refused. Then the projection is rebuilt, and switched to a
// trial. After each of both, the recording is sent again in one of the orders:
// node bench/drills/exactly-once/exactly-once.ts [--kills 20] [--seed N]
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { type HookServer, startHookServer } from "../../../test/support/notify/hook-server.ts";
import { MixedJobs } from "../../../test/support/recordings/mixed-facts.ts";
import { scrape, total } from "../../../test/support/stores/metered-tracker.ts";
import { seededRandom } from "../../fault-run/seeded-random.ts";
import { benchOptions } from "../../measuring/options.ts";
import { formatMeasures, type Measure, report } from "../../measuring/measure.ts";

const options = benchOptions(["kills", "seed"]);
const KILLS = options.positive("kills", 20);
const seed = options.positive("seed", Date.now() % 1_000_000);
const RECEIVERS = ["pager", "hook"];
const REFUSED_EACH = 10;
const MOST_MILLIS = 40;
/** A process that takes over sends these again, as an exporter does whose cursor was not stored. */
const REPEATED_TURNS = 3;

const random = seededRandom(seed);
const folder = mkdtempSync(join(tmpdir(), "outlive-exactly-once-"));
const database = join(folder, "outlive.sqlite");
const server = await startHookServer();
server.answerWith((response) => {
  response.writeHead(server.received.length % REFUSED_EACH === 0 ? 503 : 202).end();
});
const truth = new MixedJobs(() => true);
const jobs = { complete: truth.uidsOf("Complete").length, failed: truth.uidsOf("Failed").length };
const measures: Measure[] = [{ name: "seed", value: seed, unit: "" }];

try {
  const turns = (await killRepeatedly()).turns;
  measures.push({ name: "turns of the process that sends", value: turns, unit: "turns" });
  await sweep();
  const shown = await compareWithTruth("after the kills");
  const keys = keysOf(server);
  await rebuild(false);
  expectEqual("metrics after a replay", JSON.stringify(await metrics()), JSON.stringify(shown));
  await feed({ from: Math.floor(turns / 2) });
  await compareWithTruth("after a replay");
  expectEqual("keys after a replay", keysOf(server), keys);
  await rebuild(true);
  expectEqual("metrics after a switch", JSON.stringify(await metrics()), JSON.stringify(shown));
  await feed({ from: Math.floor(turns / 2) });
  await compareWithTruth("after a switch");
  expectEqual("keys after a switch", keysOf(server), keys);
  report(measures);
} finally {
  await server.close();
  rmSync(folder, { recursive: true });
}

interface Fed {
  readonly turns: number;
  /** The last turn that was finished. */
  readonly last: number;
  readonly isKilled: boolean;
}

interface Run {
  /** The turn to begin with. @default the first one */
  readonly from?: number;
  /** The process is killed this many milliseconds after a turn. @default never */
  readonly kill?: { readonly turn: number; readonly millis: number };
}

/** Kills the process {@link KILLS} times, each time further in its work. A new one repeats some turns. */
async function killRepeatedly(): Promise<Fed> {
  let kills = 0;
  let [turns, last] = [1, 0];
  while (kills < KILLS) {
    const turn = Math.max(last, Math.floor((turns * (kills + random())) / KILLS));
    const kill = { turn, millis: Math.floor(random() * MOST_MILLIS) };
    const fed = await feed({ from: Math.max(0, last - REPEATED_TURNS), kill });
    if (fed.isKilled) kills += 1;
    turns = fed.turns;
    last = Math.max(last, fed.last);
  }
  measures.push({ name: "processes killed with SIGKILL", value: kills, unit: "processes" });
  return feed({ from: Math.max(0, last - REPEATED_TURNS) });
}

let processes = 0;

async function feed({ from = 0, kill }: Run = {}): Promise<Fed> {
  const script = join(import.meta.dirname, "feed-tracker.ts");
  const args = [script, database, server.url, String(from), String(processes)];
  processes += 1;
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const followed = await follow(child, kill);
  const [status, signal] = await closed;
  if (status !== 0 && signal !== "SIGKILL") throw new Error(`The process ended with exit status ${status}.`);
  console.error(`turns ${from} to ${followed.last} of ${followed.turns}${signal === null ? "" : ", killed"}`);
  return { ...followed, isKilled: signal === "SIGKILL" };
}

/** Reads the number of turns, and then that of each that was finished. */
async function follow(child: ChildProcess, kill: Run["kill"]): Promise<Omit<Fed, "isKilled">> {
  let text = "";
  let isDue = false;
  let [turns, last] = [1, 0];
  for await (const part of child.stdout ?? []) {
    text += String(part);
    const [total, ...finished] = text.split("\n").slice(0, -1).map(Number);
    turns = total ?? turns;
    last = finished.at(-1) ?? last;
    if (kill === undefined || isDue || finished.length === 0 || last < kill.turn) continue;
    isDue = true;
    void setTimeout(kill.millis).then(() => child.kill("SIGKILL"));
  }
  return { turns, last };
}

/** Rebuilds the projection, or lets a trial of it answer. */
async function rebuild(isTrial: boolean): Promise<void> {
  const embedded = openEmbedded(database);
  await embedded.replay({ isTrial });
  if (isTrial) expectEqual("the switch", (await embedded.switchProjection()).outcome, "switched");
  embedded.close();
}

/** Counts the findings, as `serve` does every minute. */
async function sweep(): Promise<void> {
  const embedded = openEmbedded(database);
  await embedded.sweep({ now: Date.now(), freshMillis: 0 });
  embedded.close();
}

async function metrics(): Promise<Readonly<Record<string, number>>> {
  const embedded = openEmbedded(database);
  const shown = await scrape(embedded);
  embedded.close();
  return shown;
}

async function compareWithTruth(when: string): Promise<Readonly<Record<string, number>>> {
  const shown = await metrics();
  const counters: readonly (readonly [name: string, counted: number, expected: number])[] = [
    ["Jobs complete", total(shown, "outlive_jobs_finished_total", 'state="Complete"'), jobs.complete],
    ["Jobs failed", total(shown, "outlive_jobs_finished_total", 'state="Failed"'), jobs.failed],
    ["Pods succeeded", total(shown, "outlive_attempts_total", 'outcome="Succeeded"'), truth.attempts("Succeeded")],
    ["Pods failed", total(shown, "outlive_attempts_total", 'outcome="Failed"'), truth.attempts("Failed")],
    ["seconds of Jobs", total(shown, "outlive_job_duration_seconds_sum"), truth.durationSeconds()],
  ];
  for (const [name, counted, expected] of counters) {
    expectEqual(`${name} ${when}`, counted, expected);
    measures.push({ name: `${when}: ${name}`, value: counted, unit: `of ${expected}` });
  }
  measures.push(...effectsOf(server, when));
  console.error(formatMeasures(measures));
  return shown;
}

/**
 * Each failed Job has a first message for each receiver, no other Job has any, and both receivers got the same. A
 * version has no message where nothing changed that the rule names.
 */
function effectsOf({ received }: HookServer, when: string): readonly Measure[] {
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of received) {
    const id = String(headers["webhook-id"]);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }
  for (const [id, different] of bodies) expectEqual(`bodies of message ${id}`, different.size, 1);
  const versionsOf = (receiver: string) =>
    [...bodies.keys()].filter((id) => id.endsWith(`/${receiver}`)).map((id) => id.slice(0, id.lastIndexOf("/")));
  const [first = [], second = []] = RECEIVERS.map((receiver) => versionsOf(receiver).toSorted(byText));
  expectEqual(`messages ${when}`, first.join("\n"), second.join("\n"));
  const opened = first.filter((id) => id.endsWith("/1/failures")).map((id) => id.split("/", 1).join(""));
  expectEqual(`Jobs with messages ${when}`, opened.join("\n"), truth.uidsOf("Failed").toSorted(byText).join("\n"));
  const subjects = new Set(first.map((id) => id.split("/", 1).join("")));
  expectEqual(`Jobs with any message ${when}`, subjects.size, opened.length);
  return [
    { name: `${when}: idempotency keys`, value: bodies.size, unit: "keys" },
    { name: `${when}: messages received`, value: received.length, unit: "messages" },
  ];
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function keysOf({ received }: HookServer): string {
  return [...new Set(received.map(({ headers }) => String(headers["webhook-id"])))].toSorted(byText).join("\n");
}

function expectEqual<Value extends string | number>(what: string, found: Value, expected: Value): void {
  if (found !== expected) throw new Error(`Seed ${seed}, ${what}: ${found} instead of ${expected}.`);
}
