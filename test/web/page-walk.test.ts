import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleRecordings } from "../../cli/demo/example-recordings.ts";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { axeFindings } from "../support/page/axe-findings.ts";
import { skipWithoutBrowser } from "../support/page/browser.ts";
import { focusedByTab } from "../support/page/focused-by-tab.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { tell } from "../support/stores/metered-tracker.ts";
import { factsOfRuns, nightlyRun } from "../support/story/compared-story.ts";
import { queuedJobSet, restartedJobSet } from "../support/story/run-story.ts";
import { tellWatchedClusters } from "../support/story/watched-clusters.ts";

const scratch = scratchFolder();
let embedded: Embedded;
let served: ServedPage;

const JOB = "#/job/deadline/deadline/report-backoff-limit";
/** Each view of the navigation by its key, and the heading that shows its data. */
const VIEWS = [
  ["1", "Attention", /needs? attention$/],
  ["2", "Jobs", /^\d+\+? Jobs$/],
  ["3", "Runs", /^\d+\+? runs$/],
  ["4", "CronJobs", /^\d+ CronJobs?$/],
  ["5", "Clusters", /^\d+ clusters$/],
  ["6", "Summary", /^[\d,]+ Jobs$/],
] as const;

const PAGES = [
  "#/attention",
  "#/jobs",
  "#/runs",
  "#/cronjobs",
  "#/clusters",
  "#/summary",
  JOB,
  "#/job/deadline/deadline/nothing",
  "#/runs/east/ml/jobset/train",
  "#/runs/east/ml/jobset/next",
  "#/cronjobs/prod-eu/batch/backup",
  "#/compare/east/default/job/nightly-12",
  "#/compare/east/ml/jobset/train",
  "?tour=1",
];

describe.skipIf(skipWithoutBrowser())("every view of the page", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    embedded = openEmbedded(`${scratch.path}/outlive.sqlite`);
    for (const { name, files } of await exampleRecordings()) {
      if (name === "deadline") await importRecordings(embedded, { clusterName: name, files });
    }
    await tellWatchedClusters(embedded, Date.now());
    const nights = Array.from({ length: 13 }, (_, day) => nightlyRun(day, day === 12 ? { ended: "Failed" } : {}));
    const sets = [restartedJobSet(), restartedJobSet({ name: "other" }), queuedJobSet()];
    await tell(embedded, [...factsOfRuns(...nights), ...sets.flat()]);
    const config = { signIn: { kind: "none" }, demo: true } as const;
    served = await servePage({ stores: embedded, folder: `${scratch.path}/page`, config });
  }, 180_000);
  afterAll(async () => {
    await served.close();
    embedded.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  describe.each([1280, 390])("at %d pixels", (width) => {
    it.each(PAGES)("has no violation that axe reports, light or dark, and fits: %s", async (hash) => {
      await page.setViewportSize({ width, height: 844 });
      await go(hash);
      expect(await axeFindings()).toEqual([]);
      await expectFits(width);
    });

    it("has none of a Pod", async () => {
      await page.setViewportSize({ width, height: 844 });
      await openPod();
      expect(await axeFindings()).toEqual([]);
      await expectFits(width);
    });

    it.each(VIEWS)("is reached by the key %s, with each of its controls by Tab: %s", async (key, _, title) => {
      await page.setViewportSize({ width, height: 844 });
      await go("#/attention");
      await heading(VIEWS[0][2]).waitFor();
      await page.keyboard.press(key);
      await expectTabStops(title);
    });

    it.each([
      ["a Job", JOB, /report-backoff-limit$/],
      ["a run", "#/runs/east/ml/jobset/train", /Complete.*train/],
      ["a CronJob", "#/cronjobs/prod-eu/batch/backup", /^backup$/],
      ["a comparison", "#/compare/east/default/job/nightly-12", /^Compare nightly-12/],
    ])("has each control in view, with a name and a ring: %s", async (_, hash, title) => {
      await page.setViewportSize({ width, height: 844 });
      await go(hash);
      await expectTabStops(title);
    });

    it("shows all of the navigation", async () => {
      await page.setViewportSize({ width, height: 844 });
      await go("#/attention");
      const attention = page.getByRole("navigation").getByRole("link").first();
      await attention.evaluate((link) => {
        const count = document.createElement("span");
        count.className = "count";
        count.textContent = "12";
        link.append(" ", count);
      });
      for (const [, name] of VIEWS) {
        const box = await page
          .getByRole("navigation")
          .getByRole("link", { name: new RegExp(`^${name}`) })
          .boundingBox();
        expect((box?.x ?? width) + (box?.width ?? 0), name).toBeLessThanOrEqual(width);
      }
    });
  });

  it("is left with u, from a Pod over its Job to the list", async () => {
    await go("#/jobs?cluster=deadline");
    await page.getByRole("row").nth(1).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("report-backoff-limit");
    await heading("1 Job").waitFor();
    await page.keyboard.press("Escape");
    await openFirstRow(/Failed report-backoff-limit$/);
    await page.getByRole("grid", { name: "Pods" }).waitFor();
    await openFirstRow(/Failed report-backoff-limit-\w+$/);
    await page.keyboard.press("u");
    await heading(/Failed report-backoff-limit$/).waitFor();
    await page.keyboard.press("u");
    await heading("1 Job").waitFor();
  });

  it("is left with u, from a comparison over its run to the list", async () => {
    await go("#/runs");
    await heading(VIEWS[2][2]).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await heading(/^Complete/).waitFor();
    await page.getByRole("link", { name: /^Compare with/ }).press("Enter");
    await heading(/^Compare/).waitFor();
    await page.keyboard.press("u");
    await heading(/^Complete/).waitFor();
    await page.keyboard.press("u");
    await heading(VIEWS[2][2]).waitFor();
  });

  it("is left with u, from a CronJob to the heat map", async () => {
    await go("#/cronjobs");
    await page.getByRole("rowheader").getByRole("link", { name: "backup" }).press("Enter");
    await heading(/^backup$/).waitFor();
    await page.keyboard.press("u");
    await heading(VIEWS[3][2]).waitFor();
  });

  it("has menus and a help that Escape closes, with the focus back on what opened them", async () => {
    await go("#/jobs");
    await heading(VIEWS[1][2]).waitFor();
    for (const name of ["Columns", "Download", "Save or share…"]) {
      const button = page.getByRole("button", { name });
      await button.press("Enter");
      await page.getByRole("group", { name }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      await page.getByRole("group", { name }).waitFor({ state: "hidden" });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Save or share…");
  });
});

const go = (hash: string) => page.goto(`${served.url}${hash}`);

async function openFirstRow(title: RegExp): Promise<void> {
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await heading(title).waitFor();
}

async function openPod(): Promise<void> {
  await go(JOB);
  await page.getByRole("grid", { name: "Pods" }).waitFor();
  await openFirstRow(/Failed report-backoff-limit-\w+$/);
}

/** More than the stops of any of these views. */
const MOST_STOPS = 80;

async function expectTabStops(title: RegExp): Promise<void> {
  await heading(title).first().waitFor();
  await expect.poll(() => page.locator(".waiting").count(), { timeout: 10_000 }).toBe(0);
  const stops = await focusedByTab(MOST_STOPS);
  expect(stops.length).toBeGreaterThan(8);
  expect(stops.length).toBeLessThan(MOST_STOPS);
  expect(stops.filter(({ problems }) => problems.length > 0)).toEqual([]);
}

/** No scrolling to the side, and no header of a column that is cut. */
async function expectFits(width: number): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  const cut = await page
    .locator("thead th:visible")
    .evaluateAll((all) => all.filter((th) => th.scrollWidth > th.clientWidth).map((th) => th.textContent));
  expect(cut).toEqual([]);
}
