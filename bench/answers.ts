// How much CPU time does one answer take: `get`, `why` and a page of `jobs`, through the API in this process? Each
// figure is also compared with a fixed piece of work in the same round, so that runs on different machines compare.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importRecordings } from "../src/host/embedded/import-recordings.ts";
import { inProcessClient } from "../src/host/embedded/in-process-client.ts";
import { openEmbedded } from "../src/host/embedded/embedded-tracker.ts";
import { report } from "./measuring/measure.ts";

const EXAMPLES = join(import.meta.dirname, "../examples");
const FILES = ["pod-gc-ate-success.ndjson.gz", "pod-gc-ate-success.audit.ndjson.gz"];
const JOBS = "/v1/clusters/bench/namespaces/pod-gc-ate-success/jobs";
/** A Job whose successes Pod GC deleted, and others of one Pod each. */
const NAMES = ["render-earlier", "render-0001", "render-0107", "render-0208", "render-0307"];
const QUESTIONS: { readonly [Name in Question]: readonly string[] } = {
  get: NAMES.map((name) => `${JOBS}/${name}`),
  why: NAMES.map((name) => `${JOBS}/${name}/why`),
  jobs: ["/v1/jobs?limit=100"],
};
type Question = "get" | "why" | "jobs";
/** The first rounds are not counted: V8 compiles and optimizes the code in them, for about two thousand requests. */
const WARM_UP = 200;
const ROUNDS = 41;
const REQUESTS = 10;

const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const embedded = openEmbedded(join(folder, "answers.sqlite"));
const files = FILES.map((name) => join(EXAMPLES, name));
await importRecordings(embedded, { clusterName: "bench", files });
const client = inProcessClient(embedded, "bench");

const taken: { readonly [Name in Question | "reference"]: number[] } = { get: [], why: [], jobs: [], reference: [] };
for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
  const isCounted = round >= WARM_UP;
  const reference = await cpuMillis(() => parseReference());
  if (isCounted) taken.reference.push(reference);
  for (const name of ["get", "why", "jobs"] as const) {
    const paths = QUESTIONS[name];
    const millis = await cpuMillis((request) => ask(paths[request % paths.length]));
    if (isCounted) taken[name].push(millis);
  }
}
await client.close();
embedded.close();
rmSync(folder, { recursive: true });

const reference = Math.min(...taken.reference);
report([
  ...(["get", "why", "jobs"] as const).flatMap((name) => [
    { name: `answers: ${name}, CPU time of one request`, value: lowest(name), unit: "ms" },
    { name: `answers: ${name}, compared with the reference`, value: lowest(name) / reference, unit: "times" },
  ]),
  { name: "answers: the reference, 1,000 records as JSON and back", value: reference, unit: "ms" },
]);

/** The lowest of all rounds: other load on a shared machine only adds to CPU time. */
function lowest(question: Question): number {
  return Math.min(...taken[question]);
}

/**
 * The CPU time of one of many equal calls. Garbage is not collected by force: V8 then also drops compiled code, and the
 * figure would be that of a process that answers its first requests.
 */
async function cpuMillis(work: (request: number) => Promise<void> | void): Promise<number> {
  const began = process.cpuUsage();
  for (let request = 0; request < REQUESTS; request += 1) await work(request);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000 / REQUESTS;
}

async function ask(path = ""): Promise<void> {
  const response = await client.request(path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  await response.text();
}

function parseReference(): void {
  const records = Array.from({ length: 1_000 }, (_, n) => ({ name: `pod-${n}`, at: n, labels: { app: "bench" } }));
  const { length } = JSON.parse(JSON.stringify(records)) as readonly unknown[];
  if (length !== records.length) throw new Error("JSON loses records");
}
