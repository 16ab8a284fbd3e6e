import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { exampleLogLinks } from "../../../cli/demo/example-logs.ts";
import { exampleRecordings } from "../../../cli/demo/example-recordings.ts";
import { generatedHistory } from "../../../cli/demo/generated/generated-history.ts";
import { importGenerated } from "../../../cli/demo/import-generated.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { openBrowser, openTab } from "./browser.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../facts/large-job-facts.ts";
import { scratchFolder } from "../running/run-outlive.ts";
import { servePage } from "./served-page.ts";
import { tell } from "../stores/stores-with-facts.ts";

// Pictures of each view for docs/screenshots: `npm run screenshots`. They are for people; no test compares them.

const TARGET = fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));
const INDEXES = 2_000;
const WIDTHS = { wide: { width: 1400, height: 900 }, narrow: { width: 390, height: 844 } } as const;

/** When the pictures are taken, for the demo's data and for the clocks of the server and of the browser. */
const NOW = Date.UTC(2026, 10, 29, 8, 35, 30);
Date.now = () => NOW;
/** The number in the name of a run that was due today. */
const dueAt = (hour: number, minute = 0): number => Date.UTC(2026, 10, 29, hour, minute) / 60_000;

const history = generatedHistory(NOW);
/** The last Pod of the Job that failed. */
const POD = new RegExp(`"kind":"Pod",.*"name":"score-fraud-${dueAt(5)}-[^"]*",.*?"uid":"([^"]+)"`);
const podUid = history.flatMap(({ lines }) => lines.flatMap((line) => POD.exec(line)?.[1] ?? [])).at(-1) ?? "";

const VIEWS = {
  attention: "#/attention",
  jobs: "#/jobs",
  job: "#/job/pod-gc-ate-success/pod-gc-ate-success/render-0018",
  "job-failed": `#/job/generated-eu/risk/score-fraud-${dueAt(5)}`,
  pod: `#/pod/generated-eu/risk/score-fraud-${dueAt(5)}/${podUid}`,
  "job-running": "#/job/phantom-running/phantom-running/encode",
  "job-indexed": "#/job/prod-eu/default/large",
  expected: `#/job/generated-eu/search/crawl-prices-${dueAt(8, 20)}`,
  runs: "#/runs",
  run: "#/runs/generated-eu/ml/JobSet/train-ranker-137",
  compare: `#/compare/generated-eu/shop/job/import-orders-${dueAt(8)}`,
  cronjobs: "#/cronjobs",
  cronjob: "#/cronjobs/generated-eu/finance/nightly-report",
  clusters: "#/clusters",
  summary: "#/summary?cluster=generated-eu",
  usage: "#/summary?by=cluster",
  tour: "?tour=3",
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
  await importGenerated(embedded, history, scratch.path);
  const pods = Array.from({ length: INDEXES - 400 }, (_, number) => number);
  const lives = pods.flatMap((number) => [...podBeginFacts(number, number), ...podEndFacts(number)]);
  const facts = [...largeJobFacts({ indexed: true, completions: INDEXES }), ...lives];
  await tell(embedded, facts, { cluster: "prod-eu", factsInSegment: 400 });
  await takeAll();
} finally {
  embedded.close();
  await scratch.remove();
}

function isTall(name: string): boolean {
  return name === "run" || name === "usage" || name === "summary" || name === "compare" || name.startsWith("job-");
}

async function takeAll(): Promise<void> {
  const config = { signIn: { kind: "none" }, demo: true } as const;
  const stores = { ...embedded, logLinks: exampleLogLinks("http://127.0.0.1:8080") };
  const served = await servePage({ stores, folder: `${scratch.path}/page`, config });
  const browser = await openBrowser();
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [width, viewport] of Object.entries(WIDTHS)) {
      const { page } = await openTab(browser, { colorScheme, viewport });
      page.setDefaultTimeout(60_000);
      await page.clock.setFixedTime(NOW);
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
