import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { dashboardQueries } from "../../deploy/dashboard-queries.ts";
import { startPrometheus } from "../running/prometheus.ts";
import { runOutlive, scratchFolder, serveOutlive } from "../running/run-outlive.ts";
import { openBrowser, openTab } from "./browser.ts";

// A picture of a real Prometheus that scrapes `outlive serve` during an import, for docs/screenshots: `npm run
// screenshots:prometheus RECORDING`. The alerts have seconds instead of minutes, so that they fire and resolve in it.

const TARGET = fileURLToPath(new URL("../../../docs/screenshots/prometheus.jpg", import.meta.url));
const GRAPHS = [
  "sum by (state) (outlive_jobs_finished_total)",
  'sum by (alertname) (ALERTS{alertstate="firing", alertname="OutliveJobsFailed"})',
  "sum by (outcome) (outlive_attempts_total)",
];
const FIRING = 'ALERTS{alertname="OutliveJobsFailed",alertstate="firing"}';
const PATIENCE_MILLIS = 240_000;

const [recording] = process.argv.slice(2);
if (recording === undefined) throw new Error("Name a recording with Jobs that fail.");
const scratch = scratchFolder();
const database = ["--database", "m.sqlite"];
const serving = await serveOutlive(["serve", ...database, "--listen", "127.0.0.1:0"], { cwd: scratch.path });
const prometheus = await startPrometheus(scratch.path, serving.url);
const begin = Date.now();
try {
  await until("Prometheus has scraped", 'up{job="outlive"} offset 10s', (found) => found > 0);
  const importing = runOutlive(["import", ...database, "--cluster", "prod-eu", recording], { cwd: scratch.path });
  await until("the alert fires", FIRING, (found) => found > 0);
  const { status, stderr } = await importing;
  if (status !== 0) throw new Error(stderr);
  await until("the alert resolves", FIRING, (found) => found === 0);
  // So that the picture shows some time after it.
  await setTimeout(10_000);
  for (const [panel, text] of dashboardQueries) report(`panel ${panel}`, (await prometheus.query(text)).length);
  await takePicture();
} finally {
  await prometheus.stop();
  await serving.stop("SIGTERM");
  await scratch.remove();
}

/** Waits until the number of series satisfies a condition, and prints when it did. */
async function until(what: string, text: string, isDone: (found: number) => boolean): Promise<void> {
  for (const limit = Date.now() + PATIENCE_MILLIS; Date.now() < limit;) {
    const found = await prometheus.query(text).catch(() => undefined);
    if (found !== undefined && isDone(found.length)) return report(what, found.length);
    await setTimeout(250);
  }
  throw new Error(`Not within ${PATIENCE_MILLIS / 1_000} s: ${what}.`);
}

function report(what: string, series: number): void {
  process.stdout.write(`${((Date.now() - begin) / 1_000).toFixed(1)} s  ${what} (${series} series)\n`);
}

async function takePicture(): Promise<void> {
  const range = `${Math.ceil((Date.now() - begin) / 1_000)}s`;
  const graphs = GRAPHS.map(
    (text, n) => `g${n}.expr=${encodeURIComponent(text)}&g${n}.tab=0&g${n}.range_input=${range}&g${n}.step_input=1`,
  );
  const browser = await openBrowser();
  const { page } = await openTab(browser, { viewport: { width: 1_100, height: 1_800 } });
  await page.goto(`${prometheus.url}/graph?${graphs.join("&")}`);
  const drawn = page.getByText(/Total time series: \d/);
  await drawn.nth(GRAPHS.length - 1).waitFor();
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: TARGET, type: "jpeg", quality: 60, fullPage: true });
  await browser.close();
}
