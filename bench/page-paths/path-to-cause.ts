import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { packageFolder } from "../../src/host/runtime/package-folder.ts";
import { openTab } from "../../test/support/page/browser.ts";
import { type ServedPage, servePage } from "../../test/support/page/served-page.ts";
import { median, type Measure } from "../measuring/measure.ts";

interface Incident {
  readonly title: string;
  /** The recording, whose name is the cluster and the namespace. */
  readonly recording: string;
  readonly files: readonly string[];
  /** The path of the link in a notification (src/notify/notification.ts). */
  readonly link: string;
  /** The name of the link on the landing page. */
  readonly entry: string;
  readonly cause: string;
  /** What the comparison with the last good run begins with; absent if there is none. */
  readonly comparison?: string;
}

const INCIDENTS: readonly Incident[] = [
  {
    title: "a Job that failed by its program",
    recording: "ttl",
    files: ["ttl.ndjson.gz", "ttl.audit.ndjson.gz"],
    link: "job/ttl/ttl/nightly?uid=52113e77-f312-4bbc-8964-f1e602b36c98",
    entry: "nightly",
    cause: "exited with code 1",
    comparison: "nightly is Failed; nightly of",
  },
  {
    title: "a JobSet with restarts",
    recording: "jobset-restarts",
    files: ["jobset-restarts.ndjson.gz"],
    link: "runs/jobset-restarts/jobset-restarts/jobset/bert?uid=031a6d70-b844-4d11-8fa0-80904b70a12b",
    entry: "bert",
    cause: "exited with code",
  },
  {
    title: "a Pod that never ended",
    recording: "phantom-running",
    files: ["phantom-running.ndjson.gz"],
    link: "job/phantom-running/phantom-running/encode?uid=fd8ca1ce-5523-4ca3-bae1-deae1f223f5d",
    entry: "encode",
    cause: "phantom-running",
  },
];
const RUNS = 3;

/**
 * How long is the path of a paged person, from the message to the cause? It starts at the link of a notification, and
 * at the landing page, for three of the recorded incidents. Clicks, requests and bytes do not depend on the machine.
 * The seconds are those until the text is there, without the time that a person takes to read and click.
 */
export async function measurePaths(browser: Browser): Promise<readonly Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), "outlive-paths-"));
  const embedded = openEmbedded(join(folder, "outlive.sqlite"));
  for (const { recording, files } of INCIDENTS) {
    const paths = files.map((file) => join(packageFolder("examples"), file));
    await importRecordings(embedded, { clusterName: recording, files: paths });
  }
  const served = await servePage({ stores: embedded, folder: join(folder, "page"), withoutStreams: true });
  const measures: Measure[] = [];
  for (const incident of INCIDENTS) measures.push(...(await measureIncident({ browser, served }, incident)));
  await served.close();
  embedded.close();
  rmSync(folder, { recursive: true, force: true });
  return measures;
}

interface Scene {
  readonly browser: Browser;
  readonly served: ServedPage;
}

async function measureIncident(scene: Scene, incident: Incident): Promise<readonly Measure[]> {
  const { title, comparison } = incident;
  const found = [
    await measured(scene, `${title}, from its message`, (walk) => fromMessage(walk, incident)),
    await measured(scene, `${title}, from the landing page`, (walk) => fromLanding(walk, incident)),
  ];
  if (comparison === undefined) return found.flat();
  const compare = (walk: Walk) => toComparison(walk, { ...incident, comparison });
  return [...found, await measured(scene, `${title}, to what differs from the last good run`, compare)].flat();
}

/** The message names the cause, and its link leads to a page that names it in the first screen. */
async function fromMessage(walk: Walk, { link, cause }: Incident): Promise<void> {
  await walk.open(`#/${link}`);
  await walk.seeInFirstScreen(cause);
}

async function fromLanding(walk: Walk, { recording, entry, cause }: Incident): Promise<void> {
  await walk.open(`#/attention?since=all&cluster=${recording}`);
  await walk.click(entry);
  await walk.seeInFirstScreen(cause);
}

async function toComparison(walk: Walk, incident: Incident & { readonly comparison: string }): Promise<void> {
  await fromMessage(walk, incident);
  await walk.click("Compare with the last good run");
  await walk.seeInFirstScreen(incident.comparison);
}

/** A path through the page in a new tab, with what it takes. */
interface Walk {
  readonly open: (hash: string) => Promise<void>;
  readonly click: (link: string) => Promise<void>;
  readonly seeInFirstScreen: (text: string) => Promise<void>;
}

interface Taken {
  readonly clicks: number;
  readonly requests: number;
  readonly bytes: number;
  readonly millis: number;
}

async function measured(scene: Scene, name: string, path: (walk: Walk) => Promise<void>): Promise<readonly Measure[]> {
  const taken: Taken[] = [];
  for (let run = 0; run < RUNS; run += 1) taken.push(await walked(scene, path));
  const of = (what: keyof Taken): number => median(taken.map((one) => one[what]));
  return [
    { name: `${name}: clicks`, value: of("clicks"), unit: "clicks", goal: "<= 2" },
    { name: "requests to the API of the views on it", value: of("requests"), unit: "requests" },
    { name: "bytes of their answers", value: of("bytes"), unit: "bytes" },
    { name: "until the text is there", value: of("millis") / 1_000, unit: "s" },
  ];
}

async function walked({ browser, served }: Scene, path: (walk: Walk) => Promise<void>): Promise<Taken> {
  const { page } = await openTab(browser);
  const answers: Promise<number>[] = [];
  page.on("request", (request) => {
    if (/\/v1\/(?!changes)/.test(request.url())) answers.push(bytesOf(request));
  });
  let clicks = 0;
  const began = performance.now();
  await path({
    open: async (hash) => void (await page.goto(`${served.url}${hash}`)),
    click: async (link) => {
      clicks += 1;
      await page.getByRole("link", { name: link }).first().click();
    },
    seeInFirstScreen: (text) => seenIn(page, text),
  });
  const millis = performance.now() - began;
  await page.waitForFunction("document.querySelector('.waiting') === null");
  const sizes = await Promise.all(answers);
  await page.context().close();
  return { clicks, requests: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0), millis };
}

async function bytesOf(request: Request): Promise<number> {
  const response = await request.response();
  await response?.finished();
  return (await request.sizes()).responseBodySize;
}

/** Waits for a text, and fails if it is below the first screen. */
async function seenIn(page: Page, text: string): Promise<void> {
  const found = page.locator("main").getByText(text).first();
  await found.waitFor();
  const [box, height] = [await found.boundingBox(), page.viewportSize()?.height ?? 0];
  if (box === null || box.y + box.height > height) throw new Error(`"${text}" is below the first screen.`);
}
