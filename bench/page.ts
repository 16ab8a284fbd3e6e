// How fast is the page? 10,000 Jobs in the list, a Job of 1,000 Pods, and a Job of 100,000 indexes, in Chromium on this
// machine. It also measures the size of the page, and the path of a paged person to the cause.
import { MemoryJobStore } from "../test/support/stores/memory-job-store.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openBrowser, openTab } from "../test/support/page/browser.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../test/support/facts/large-job-facts.ts";
import { listedJob, storesWith } from "../test/support/story/listed-job.ts";
import { servePage } from "../test/support/page/served-page.ts";
import { emptyStores, tell } from "../test/support/stores/stores-with-facts.ts";
import { readPageFiles } from "../src/http/page/page-files.ts";
import { median, type Measure, report } from "./measuring/measure.ts";
import { measurePaths } from "./page-paths/path-to-cause.ts";

const JOBS = 10_000;
const PODS = 1_000;
const INDEXES = 100_000;
const RUNS = 3;
const POLLS_OF_TEN_MINUTES = 20;
/** For a machine with other load. */
const PATIENCE = 120_000;
const EPOCH = Date.parse("2026-01-01T00:00:00Z");

const PAINT = `(async () => {
  for (;;) {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    if (paint) return paint.startTime;
    await new Promise(requestAnimationFrame);
  }
})()`;

const FIRST_ROWS = `(async () => {
  while (document.querySelector("main tbody td[class]") === null) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now();
})()`;

const KEYSTROKE = `(async () => {
  const input = document.querySelector("[data-filter]");
  const before = document.querySelector("main h1").textContent;
  const from = performance.now();
  input.value += "7";
  input.dispatchEvent(new Event("input", { bubbles: true }));
  while (document.querySelector("main h1").textContent === before) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - from;
})()`;

/** Presses the button for more rows until all are loaded. */
const LOAD_ALL = `(async () => {
  while (document.querySelector("main h1").textContent !== "10,000 Jobs") {
    document.querySelector("main .panel > header button:not(:disabled)")?.click();
    await new Promise(requestAnimationFrame);
  }
  return performance.now();
})()`;

const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const list = await servedList();
const jobs = await servedJob();
const browser = await openBrowser();

const paints: number[] = [];
const empties: number[] = [];
const rows: number[] = [];
const lists: number[] = [];
const keystrokes: number[] = [];
const podPages: Timing[] = [];
const grids: Timing[] = [];
const listCpu: number[] = [];
const keyCpu: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  empties.push(await paintOf(browser, `${list.url}config.json`));
  const { paint, first, whole, keystroke, listing, filtering } = await openList(browser);
  listCpu.push(listing);
  keyCpu.push(filtering);
  paints.push(paint);
  rows.push(first);
  lists.push(whole);
  keystrokes.push(keystroke);
  podPages.push(await untilSeen(browser, "#/job/east/default/large", `1000 Pods|990 Pods`));
  grids.push(await untilSeen(browser, "#/job/east/default/large", "Grid of 100,000 indexes"));
}
const traffic = await measureTraffic(browser);
const paths = await measurePaths(browser);
const sizes = await bundleSizes();
await browser.close();
await list.close();
await jobs.close();
rmSync(folder, { recursive: true, force: true });

const wall = ({ wall: millis }: Timing): number => millis;
const processor = ({ processor: millis }: Timing): number => millis;
report([
  { name: "first contentful paint, Jobs page", value: median(paints), unit: "ms", goal: "<= 1000" },
  { name: "the same of an empty answer", value: median(empties), unit: "ms" },
  { name: "first rows of the Jobs page, from nothing", value: median(rows), unit: "ms", goal: "<= 1000" },
  { name: "10,000 Jobs read and listed", value: median(lists), unit: "ms" },
  { name: "of it the page's own processor time", value: median(listCpu), unit: "ms" },
  { name: "filter keystroke to rows, 10,000 Jobs", value: median(keystrokes), unit: "ms", goal: "<= 100" },
  { name: "of it the page's own processor time", value: median(keyCpu), unit: "ms" },
  { name: "Job page of 1,000 Pods, from nothing", value: median(podPages.map(wall)), unit: "ms", goal: "<= 1000" },
  { name: "of it the page's own processor time", value: median(podPages.map(processor)), unit: "ms" },
  { name: "grid of 100,000 indexes, from nothing", value: median(grids.map(wall)), unit: "ms", goal: "<= 1000" },
  { name: "of it the page's own processor time", value: median(grids.map(processor)), unit: "ms" },
  ...traffic,
  ...paths,
  ...sizes,
]);

async function servedList() {
  const ports = await storesWith(
    Array.from({ length: JOBS }, (_, n) =>
      listedJob({ uid: `uid-${n}`, name: `report-${n}`, createdAt: new Date(EPOCH + n * 1_000).toISOString() }),
    ),
  );
  const projections = { open: () => ports.jobs, runs: () => new MemoryJobStore(), clear: async () => "empty" as const };
  return servePage({
    stores: { projections, meta: ports.meta, log: ports.log },
    folder: join(folder, "list"),
    withoutStreams: true,
  });
}

async function servedJob() {
  const stores = emptyStores();
  const pods = Array.from({ length: PODS }, (_, number) => number);
  const lives = pods.flatMap((number) => [...podBeginFacts(number, number), ...podEndFacts(number)]);
  await tell(stores, [...largeJobFacts({ indexed: true, completions: INDEXES }), ...lives], { factsInSegment: 400 });
  return servePage({ stores, folder: join(folder, "job") });
}

async function paintOf(browser: Browser, url: string): Promise<number> {
  const { page } = await openTab(browser);
  await page.goto(url);
  const paint = await page.evaluate<number>(PAINT);
  await page.context().close();
  return paint;
}

/** Measures the first paint, the complete list, and another letter in the filter. */
async function openList(browser: Browser) {
  const { page } = await openTab(browser);
  page.setDefaultTimeout(PATIENCE);
  const processor = await processorClock(page);
  await page.goto(`${list.url}#/jobs`);
  const paint = await page.evaluate<number>(PAINT);
  const first = await page.evaluate<number>(FIRST_ROWS);
  const whole = await page.evaluate<number>(LOAD_ALL);
  const listing = await processor();
  await page.getByRole("searchbox").fill("report-7");
  await page.evaluate(untilText("main h1", "1,111 Jobs"));
  const before = await processor();
  const keystroke = await page.evaluate<number>(KEYSTROKE);
  const filtering = (await processor()) - before;
  await page.context().close();
  return { paint, first, whole, keystroke, listing, filtering };
}

/** Wall time, and processor time of the page's main thread, which does not depend on other load of the machine. */
interface Timing {
  readonly wall: number;
  readonly processor: number;
}

/** From the beginning of the navigation until a drawing with this name is visible. */
async function untilSeen(browser: Browser, hash: string, label: string): Promise<Timing> {
  const { page } = await openTab(browser);
  page.setDefaultTimeout(PATIENCE);
  const processor = await processorClock(page);
  await page.goto(`${jobs.url}${hash}`);
  const seen = await page.evaluate<number>(`(async () => {
    const label = new RegExp(${JSON.stringify(label)});
    const isDrawn = (one) => one.width > 0 && one.height > 0 && one.style.height !== "";
    const drawn = () => [...document.querySelectorAll("canvas")]
      .some((one) => label.test(one.getAttribute("aria-label")) && isDrawn(one));
    while (!drawn()) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now();
  })()`);
  const timing = { wall: seen, processor: await processor() };
  await page.context().close();
  return timing;
}

/** Processor time of the main thread since the tab was opened, in milliseconds. */
async function processorClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
  };
}

/** Requests to the API and bytes of their answers, without streams: of the first screen, and of ten idle minutes. */
async function measureTraffic(browser: Browser): Promise<readonly Measure[]> {
  const { page } = await openTab(browser);
  await page.clock.install();
  // The request for a stream is counted, too: it is refused, and its body is not read.
  let requests = 0;
  const sizes: Promise<number>[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/v1/")) requests += 1;
  });
  page.on("requestfinished", (request) => {
    if (request.url().includes("/v1/")) sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const soFar = async () => {
    const answers = await Promise.all(sizes);
    return { requests, bytes: answers.reduce((sum, bytes) => sum + bytes, 0) };
  };
  const clusters = page.waitForResponse(/v1\/clusters/);
  await page.goto(`${list.url}#/jobs`);
  await (await clusters).finished();
  await page.getByRole("heading", { name: "100+ Jobs" }).waitFor();
  const first = await soFar();
  for (let poll = 0; poll < POLLS_OF_TEN_MINUTES; poll += 1) {
    const answer = page.waitForResponse(/v1\/changes/);
    await page.clock.runFor(30_500);
    await (await answer).finished();
    await page.clock.runFor(100);
  }
  const all = await soFar();
  await page.context().close();
  return [
    { name: "requests of the first screen, 10,000 Jobs", value: first.requests, unit: "requests", goal: "<= 3" },
    { name: "bytes of their answers", value: first.bytes, unit: "bytes" },
    { name: "requests of ten idle minutes", value: all.requests - first.requests, unit: "requests", goal: "<= 20" },
    { name: "bytes of their answers, ten idle minutes", value: all.bytes - first.bytes, unit: "bytes" },
  ];
}

async function bundleSizes(): Promise<readonly Measure[]> {
  const files = [...(await readPageFiles(join(folder, "list")))];
  const kilobytes = (wanted: (name: string) => boolean): number =>
    files.reduce((sum, [name, { brotli }]) => sum + (wanted(name) ? brotli.byteLength : 0), 0) / 1_000;
  return [
    { name: "the whole page, brotli", value: kilobytes(() => true), unit: "kB", goal: "<= 250" },
    {
      name: "of it the script of the first view, without shared chunks",
      value: kilobytes((name) => name.startsWith("main-")),
      unit: "kB",
    },
    { name: "of it the style sheet", value: kilobytes((name) => name.endsWith(".css")), unit: "kB" },
  ];
}

function untilText(selector: string, text: string): string {
  return `(async () => {
    const text = () => document.querySelector(${JSON.stringify(selector)})?.textContent;
    while (text() !== ${JSON.stringify(text)}) await new Promise(requestAnimationFrame);
    return performance.now();
  })()`;
}
