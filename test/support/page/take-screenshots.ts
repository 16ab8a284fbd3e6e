import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { exampleRecordings } from "../../../cli/demo/example-recordings.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { formatInstant } from "../../../src/job/model/instant.ts";
import { openBrowser, openTab } from "./browser.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../facts/large-job-facts.ts";
import { scratchFolder } from "../running/run-outlive.ts";
import { servePage } from "./served-page.ts";
import { tell } from "../stores/stores-with-facts.ts";
import { Story } from "../story/story.ts";
import { tellWatchedClusters } from "../story/watched-clusters.ts";

// Pictures of each view for docs/screenshots: `npm run screenshots`. They are for people; no test compares them.

const TARGET = fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));
const INDEXES = 2_000;
const WIDTHS = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } } as const;

const VIEWS = {
  jobs: "#/jobs",
  attention: "#/attention",
  job: "#/job/pod-gc-ate-success/pod-gc-ate-success/render-0018",
  "job-running": "#/job/phantom-running/phantom-running/encode",
  "job-indexed": "#/job/prod-eu/default/large",
  runs: "#/runs",
  run: "#/runs/jobset-restarts/jobset-restarts/JobSet/resnet",
  cronjobs: "#/cronjobs",
  cronjob: "#/cronjobs/prod-eu/batch/backup",
  expected: "#/job/prod-eu/batch/backup-in-progress",
  clusters: "#/clusters",
  summary: "#/summary",
  usage: "#/summary?by=cluster",
} as const;

/** Some views by name; all of them unless said. */
const only = process.argv.slice(2);

const scratch = scratchFolder();
const embedded = openEmbedded(`${scratch.path}/outlive.sqlite`);
try {
  await mkdir(TARGET, { recursive: true });
  for (const { name, files } of await exampleRecordings()) {
    await importRecordings(embedded, { clusterName: name, files });
  }
  const now = Date.now();
  await tellWatchedClusters(embedded, now);
  await tell(embedded, backupInProgress(now), { cluster: "prod-eu", sealedAt: now });
  const pods = Array.from({ length: INDEXES - 400 }, (_, number) => number);
  const lives = pods.flatMap((number) => [...podBeginFacts(number, number), ...podEndFacts(number)]);
  const facts = [...largeJobFacts({ indexed: true, completions: INDEXES }), ...lives];
  await tell(embedded, facts, { cluster: "prod-eu", factsInSegment: 400 });
  // `tell` writes no records of series.
  await embedded.replay();
  await takeAll();
} finally {
  embedded.close();
  await scratch.remove();
}

/** A run of the CronJob of the watched cluster, which has a baseline. */
function backupInProgress(now: number): readonly Fact[] {
  const story = new Story("backup-in-progress", formatInstant(now - 180_000));
  const owner = { kind: "CronJob", name: "backup", uid: "cron-backup" };
  story.jobCreated(
    { backoffLimit: 0 },
    { namespace: "batch", name: "backup-in-progress", owner, scheduledAt: now - 182_000 },
  );
  story.podCreated("a", { namespace: "batch" });
  story.podStarted("a", "node-a");
  story.podTracked("a");
  story.jobReported({ active: 1, ready: 1, startTime: story.now });
  return story.facts;
}

function isTall(name: string): boolean {
  return name === "run" || name === "usage" || name.startsWith("job-");
}

async function takeAll(): Promise<void> {
  const served = await servePage({ stores: embedded, folder: `${scratch.path}/page` });
  const browser = await openBrowser();
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [width, viewport] of Object.entries(WIDTHS)) {
      const { page } = await openTab(browser, { colorScheme, viewport });
      page.setDefaultTimeout(60_000);
      for (const [name, hash] of Object.entries(VIEWS)) {
        if (only.length > 0 && !only.includes(name)) continue;
        await page.goto(`${served.url}${hash}`);
        await page.locator("main h1:not(.waiting)").first().waitFor();
        // Every answer, every lazy part and every drawing is there.
        const waiting = page.locator(".waiting");
        while ((await waiting.count()) > 0) await waiting.first().waitFor({ state: "detached" });
        await page.waitForTimeout(300);
        const path = `${TARGET}${name}-${width}-${colorScheme}.jpg`;
        const height = isTall(name) && width === "wide" ? 1_500 : viewport.height;
        await page.setViewportSize({ ...viewport, height });
        if (name === "usage") await page.locator("#usage").evaluate((panel) => panel.scrollIntoView());
        await page.screenshot({ path, type: "jpeg", quality: 50 });
      }
      await page.context().close();
    }
  }
  await browser.close();
  await served.close();
}
