// How much memory does `outlive fold` need? Recordings of 10,000 and 100,000 one-Pod Jobs, each with the events of a
// real one, are processed by the command line in its own process. The figure is the largest resident set.
import { spawnSync } from "node:child_process";
import { createWriteStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { recordedEvents } from "./measuring/recorded.ts";
import { type Measure, report } from "./measuring/measure.ts";

/** Prints the largest resident set of the process at its exit, in KiB. */
const SAY_MEMORY =
  `data:text/javascript,process.on("exit",()=>process.stderr.write("maxRSS ` +
  `"+process.resourceUsage().maxRSS+"\\n"))`;
const CLI = new URL("../cli/main.ts", import.meta.url).pathname;

const template = await oneJob();
const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const measures: Measure[] = [];
for (const jobs of [10_000, 100_000]) {
  const file = join(folder, `${jobs}.ndjson`);
  await writeRecording(file, jobs);
  const began = performance.now();
  const run = spawnSync(process.execPath, ["--import", SAY_MEMORY, CLI, "fold", file], {
    stdio: ["ignore", openSync("/dev/null", "w"), "pipe"],
    encoding: "utf8",
  });
  const seconds = (performance.now() - began) / 1000;
  const kibibytes = Number(/maxRSS (\d+)/.exec(run.stderr)?.[1]);
  if (run.status !== 0 || Number.isNaN(kibibytes)) throw new Error(`fold ended with ${run.status}: ${run.stderr}`);
  const name = `fold: ${jobs.toLocaleString("en-US")} one-Pod Jobs`;
  measures.push({
    name: `${name}, memory`,
    value: (kibibytes * 1024) / 1e6,
    unit: "MB",
    ...(jobs === 100_000 && { goal: "<= 400" }),
  });
  measures.push({ name: `${name}, time`, value: seconds, unit: "s" });
}
rmSync(folder, { recursive: true });
report(measures);

/** The events of one Job with one Pod as text, in which names and uids can be replaced. */
async function oneJob(): Promise<{ readonly text: string; readonly jobUid: string; readonly podUid: string }> {
  const events = (await recordedEvents()) as readonly {
    readonly type: string;
    readonly object: {
      readonly kind: string;
      readonly metadata: { readonly uid: string; readonly ownerReferences?: readonly { readonly uid: string }[] };
    };
  }[];
  const pods = events.filter(({ object }) => object.kind === "Pod").map(({ object }) => object.metadata);
  const byOwner = Map.groupBy(pods, ({ ownerReferences = [] }) => ownerReferences[0]?.uid);
  const uidsOf = [...byOwner].map(([owner, own]) => [owner, [...new Set(own.map(({ uid }) => uid))]] as const);
  const [jobUid, [podUid] = []] = uidsOf.find(([owner, uids]) => owner !== undefined && uids.length === 1) ?? [];
  if (jobUid === undefined || podUid === undefined) throw new Error("The recording has no Job with one Pod.");
  const own = events.filter(({ object }) => object.metadata.uid === jobUid || object.metadata.uid === podUid);
  return { text: `${own.map((event) => JSON.stringify(event)).join("\n")}\n`, jobUid, podUid };
}

/** The `n`th uid of a kind, with the length of the replaced ones. */
function uid(kind: "a" | "b", n: number): string {
  return `${kind}0000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

async function writeRecording(file: string, jobs: number): Promise<void> {
  const out = createWriteStream(file);
  for (let n = 0; n < jobs; n += 1) {
    const text = template.text.replaceAll(template.jobUid, uid("a", n)).replaceAll(template.podUid, uid("b", n));
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}
