import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CronRunsAnswer } from "../../src/query/cron-jobs/cron-runs.ts";
import { axeFindings } from "../support/page/axe-findings.ts";
import { seeText, skipWithoutBrowser } from "../support/page/browser.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../support/facts/large-job-facts.ts";
import { eachInItsOwnTab, page } from "../support/page/page-scene.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { emptyStores, tell } from "../support/stores/stores-with-facts.ts";
import { FAILED, MISSED, scheduleAt, tellWatchedClusters } from "../support/story/watched-clusters.ts";

const scratch = scratchFolder();
const stores = emptyStores();
const INDEXES = 300;
const BEGAN = Date.now();

let served: ServedPage;

describe.skipIf(skipWithoutBrowser())("the page, on clusters that are watched", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    await tellWatchedClusters(stores, BEGAN);
    const pods = Array.from({ length: INDEXES - 10 }, (_, number) => number);
    const lives = pods.flatMap((number) => [...podBeginFacts(number, number), ...podEndFacts(number)]);
    const facts = [...largeJobFacts({ indexed: true, completions: INDEXES }), ...lives];
    await tell(stores, facts, { cluster: "prod-eu", factsInSegment: 400 });
    served = await servePage({ stores, folder: `${scratch.path}/page` });
  }, 60_000);
  afterAll(async () => {
    await served.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  describe("a cluster that stopped reporting", () => {
    it("has a banner above the findings, and its gaps in the clusters view", async () => {
      await go("#/attention");
      await page
        .getByRole("alert")
        .getByText(/prod-us \(for (3h|179m)/)
        .waitFor();
      await page.getByRole("link", { name: "Clusters" }).last().click();
      await seeText(page, /Not reporting for (3h|179m)/);
      await seeText(page, /Fresh, lag/);
      await page.getByRole("img", { name: /^2 gaps of prod-us .*prod-us silent since/ }).waitFor();
    });

    it("is not live in any view that shows it, and does not concern the others", async () => {
      const indicator = page.locator(".live");
      await go("#/jobs");
      await expect.poll(() => indicator.innerText()).toBe("1 of 2 clusters silent");
      await go("#/jobs?cluster=prod-us");
      await expect.poll(() => indicator.innerText()).toMatch(/^Silent since .*\d\d:\d\d:\d\d$/);
      await go("#/jobs?cluster=prod-eu");
      await expect.poll(() => indicator.innerText()).toBe("Live");
    });
  });

  describe("a CronJob", () => {
    it("has a heat map whose sums equal the API's", async () => {
      const runs = await cronRuns();
      const sum = (of: "runs" | "missed") => runs.days.reduce((total, day) => total + day[of], 0);
      expect(sum("missed")).toBe(MISSED.length);
      await go("#/cronjobs");
      const row = page.getByRole("row", { name: `backup ${scheduleAt(BEGAN)}` });
      await row.locator("td .only-read").first().waitFor({ state: "attached" });
      const texts = await row.locator("td .only-read").allInnerTexts();
      expect(texts.reduce((total, text) => total + Number(/(\d+) runs?/.exec(text)?.[1] ?? 0), 0)).toBe(sum("runs"));
      expect(texts.filter((text) => text.includes("missed")).length).toBeGreaterThan(0);
    });

    it("shows failed, missed and unobserved days by colour, border and mark, light or dark", async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await go("#/cronjobs");
        const legend = page.getByLabel("Legend of the heat map");
        await legend.waitFor();
        const cells = await legend.locator(".cell").evaluateAll((found) =>
          found.map((cell) => {
            const { backgroundColor, borderTopStyle } = getComputedStyle(cell);
            return [backgroundColor, borderTopStyle, cell.textContent.replaceAll(/[\d ]/g, "")];
          }),
        );
        expect(cells.map(([, border, mark]) => `${border} ${mark}`)).toEqual([
          "none ",
          "none ✕",
          "dashed !",
          "dashed ✕!",
          "dotted ?",
          "none ",
        ]);
        const [, failed, missed, , unobserved] = cells.map(([colour]) => colour);
        expect(new Set([failed, missed, unobserved]).size).toBe(3);
        expect(await legend.innerText()).toContain("due and not created");
      }
    });

    it("shows missed runs, delays, and each run", async () => {
      await go("#/cronjobs/prod-eu/batch/backup");
      await page.getByRole("heading", { name: "backup" }).waitFor();
      await page.getByRole("grid", { name: "Missed runs" }).getByText("no run was created").first().waitFor();
      await page.getByRole("img", { name: /^Duration by day\. On .* half of the Jobs took at most 7m/ }).waitFor();
      const runs = page.getByRole("grid", { name: "Runs", exact: true });
      expect(await runs.getAttribute("aria-rowcount")).toBe("78");
      expect(await page.locator(".figure", { hasText: "Failed" }).locator("b").innerText()).toBe(String(FAILED.length));
      await runs.getByRole("link").first().click();
      await page.getByRole("heading", { name: /^Complete backup-/ }).waitFor();
      await page.getByRole("link", { name: "CronJob backup" }).waitFor();
    });
  });

  describe("an Indexed Job of many Pods", () => {
    it("has a cell per index, and a table that filters by state", async () => {
      await go("#/job/prod-eu/default/large");
      await page
        .getByRole("img", { name: /^Grid of 300 indexes: 12 Pending, 0 Active, 288 Succeeded, 0 Failed/ })
        .waitFor();
      await page
        .getByRole("group", { name: "States of the indexes" })
        .getByRole("button", { name: /Pending/ })
        .click();
      const grid = page.getByRole("grid", { name: "Indexes" });
      await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe("13");
      // The Pods load after the states of the indexes.
      await expect.poll(() => grid.getByRole("row").nth(1).innerText()).toMatch(/^99\s+Pending\s+1/);
    });

    it("has its Pods grouped by outcome", async () => {
      await go("#/job/prod-eu/default/large");
      await page.getByRole("img", { name: /^2 Pods from .*: 2 Failed/ }).waitFor();
      await page.getByRole("img", { name: /^288 Pods from .*: 288 Succeeded/ }).waitFor();
    });
  });

  it("has no violation that axe reports about a large indexed Job, and fits a narrow screen", async () => {
    await go("#/job/prod-eu/default/large");
    expect(await axeFindings()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });
});

const go = (hash: string) => page.goto(`${served.url}${hash}`);

async function cronRuns(): Promise<CronRunsAnswer> {
  const path = "v1/clusters/prod-eu/namespaces/batch/cronjobs/backup/runs?timeZone=Europe/Berlin";
  return (await (await fetch(`${served.url}${path}`)).json()) as CronRunsAnswer;
}
