import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFindings } from "../support/page/axe-findings.ts";
import { skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { storesOver, tell } from "../support/stores/stores-with-facts.ts";
import { cronJobOf } from "../support/story/hourly-cron-job.ts";
import { dagsterJob, queuedJobSet, restartedJobSet } from "../support/story/run-story.ts";
import { Story } from "../support/story/story.ts";

const JOBS = 130;
/** More than the Jobs of this test. */
const MOST_SORTED = 1_000;
const scratch = scratchFolder();
const jobs = Object.assign(new MemoryJobStore(), { mostSorted: MOST_SORTED });
const stores = storesOver({ jobs, meta: new MemoryMetaStore(), log: new MemoryLog() });
let served: ServedPage;
/** The path and query of each request to the API. */
const requests: string[] = [];

describe.skipIf(skipWithoutBrowser())("a list of the page", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    for (let n = 0; n < JOBS; n += 1) await tell(stores, finishedJob(n));
    const others = { cluster: "west" };
    await tell(stores, [...restartedJobSet(), ...queuedJobSet(), ...dagsterJob("r-1")], others);
    await tell(stores, [cronJobOf("0 * * * *"), cronJobOf("30 2 * * *", "cron-2", "backup")], { cluster: "north" });
    served = await servePage({ stores, folder: scratch.path });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    await scratch.remove();
  });
  afterEach(() => Object.assign(jobs, { mostSorted: MOST_SORTED }));
  eachInItsOwnTab();

  describe("is sorted by a click on a header", () => {
    it("by the server, in an order that is in the address and survives a reload", async () => {
      await open("#/jobs?cluster=east");
      await header("Duration").getByRole("button").click();
      await firstRow("job-0").waitFor();
      expect(page.url()).toContain("sort=-duration");
      expect(requests).toContain("jobs?cluster=east&sort=-duration&limit=100");
      expect(await header("Duration").getAttribute("aria-sort")).toBe("descending");
      expect(await header("Age").getAttribute("aria-sort")).toBe(null);
      await page.reload();
      await firstRow("job-0").waitFor();
      await header("Duration").getByRole("button").click();
      await firstRow("job-129").waitFor();
      await page.goBack();
      await firstRow("job-0").waitFor();
    });

    it("with the keyboard, which keeps the focus on the header", async () => {
      await open("#/jobs?cluster=east");
      await header("Name").getByRole("button").focus();
      await page.keyboard.press("Enter");
      await firstRow("job-0").waitFor();
      await page.keyboard.press("Enter");
      await firstRow("job-99").waitFor();
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Name");
      await page.keyboard.press("j");
      await page.locator('tr[aria-rowindex="2"]:focus').waitFor();
    });

    it("oldest first by the age, and without a parameter when the newest are first again", async () => {
      await open("#/jobs?cluster=east");
      expect(await header("Age").getAttribute("aria-sort")).toBe("ascending");
      await header("Age").getByRole("button").click();
      await firstRow("job-0").waitFor();
      expect(page.url()).toContain("sort=created");
      expect(await header("Age").getAttribute("aria-sort")).toBe("descending");
      await header("Age").getByRole("button").click();
      await firstRow("job-129").waitFor();
      expect(page.url()).not.toContain("sort=");
    });

    it("by a column that only the page can sort, once all rows are loaded", async () => {
      await open("#/jobs?cluster=east");
      expect(await header("State").getByRole("button").count()).toBe(0);
      expect(await header("State").getAttribute("title")).toMatch(/^The server cannot sort by this column/);
      await page.getByRole("button", { name: "Load more" }).click();
      await heading("130 Jobs").waitFor();
      requests.length = 0;
      await header("State").getByRole("button").click();
      await header("State").getByRole("button").click();
      await firstRow("Failed").waitFor();
      expect(page.url()).toContain("sort=-state");
      expect(requests).toEqual([]);
    });

    it("by a label, whose column is not one of the list's own", async () => {
      await open("#/jobs?cluster=east&columns=name,label:team");
      await page.getByRole("button", { name: "Load more" }).click();
      await heading("130 Jobs").waitFor();
      await header("team").getByRole("button").click();
      await expect.poll(() => header("team").getAttribute("aria-sort")).toBe("ascending");
      await header("team").getByRole("button").click();
      await expect.poll(() => header("team").getAttribute("aria-sort")).toBe("descending");
    });

    it("shows a link's order that rows are missing for as not in effect", async () => {
      await open("#/jobs?cluster=east&sort=-state");
      await page.getByText("Not sorted by state: not all rows are loaded.").waitFor();
      await page.getByRole("button", { name: "Load more" }).click();
      await firstRow("Failed").waitFor();
    });

    it("says which Jobs the server has sorted, and leads to the others", async () => {
      Object.assign(jobs, { mostSorted: 90 });
      await open("#/jobs?cluster=east&sort=name");
      await page.getByText("Not all Jobs are sorted:").waitFor();
      await heading("90 Jobs").waitFor();
      await page.getByRole("link", { name: "Sort the Jobs before" }).click();
      await heading("40 Jobs").waitFor();
      await page.getByRole("button", { name: "Remove the filter createdBefore" }).click();
      await heading("90 Jobs").waitFor();
    });

    it("also the list of runs, and that of CronJobs", async () => {
      await open("#/runs");
      await heading("3 runs").waitFor();
      await header("Attempts").getByRole("button").click();
      await firstRow("train").waitFor();
      await open("#/cronjobs");
      await heading("2 CronJobs").waitFor();
      const names = page.getByRole("rowheader").getByRole("link");
      expect(await names.allInnerTexts()).toEqual(["backup", "hourly"]);
      await header("CronJob").getByRole("button").click();
      await expect.poll(() => names.allInnerTexts()).toEqual(["hourly", "backup"]);
      expect(page.url()).toContain("sort=-name");
    });

    it("also a table beside the main list, by a parameter of its own", async () => {
      await page.goto(`${served.url}#/runs/west/ml/jobset/train`);
      await header("Name").getByRole("button").click();
      await header("Name").getByRole("button").click();
      const panel = page.getByRole("region", { name: "Jobs of all attempts" });
      await panel.locator('tr[aria-rowindex="2"]', { hasText: "train-worker-1" }).waitFor();
      expect(page.url()).toContain("sortJobs=-name");
    });
  });

  describe("has columns that can be chosen", () => {
    it("with the keyboard, in the address, in a fixed order", async () => {
      await open("#/jobs?cluster=east");
      await page.getByRole("button", { name: "Columns" }).press("Enter");
      await page.getByRole("checkbox", { name: "Failed Pods" }).press("Space");
      await page.getByRole("checkbox", { name: "Cause" }).press("Space");
      await page.getByRole("checkbox", { name: "team" }).press("Space");
      await page.keyboard.press("Escape");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Columns");
      const names = "State Name Cluster / namespace Completions Failed Pods Duration Age Findings team";
      expect((await headers()).join(" ")).toBe(names);
      await page.reload();
      await heading(/Jobs$/).waitFor();
      expect((await headers()).join(" ")).toBe(names);
      expect(page.url()).toContain(encodeURIComponent("failedPods,duration,age,findings,label:team"));
      expect(requests.filter((path) => path.startsWith("jobs?"))).toEqual(
        Array.from({ length: 2 }, () => "jobs?cluster=east&limit=100"),
      );
    });

    it("asks for what a list has on request only", async () => {
      await open("#/jobs?cluster=east&columns=name,reserved,expectedEnd");
      expect(requests).toContain("jobs?cluster=east&usage=true&expected=true&limit=100");
      await page.getByRole("button", { name: "Columns" }).click();
      await page.getByRole("button", { name: "Standard columns" }).click();
      expect(page.url()).not.toContain("columns=");
    });
  });

  describe("can be downloaded", () => {
    it("as CSV of the shown rows and columns, in their order", async () => {
      await open("#/jobs?cluster=east&sort=name&columns=name,duration,age,label:team");
      await page.getByRole("searchbox").fill("job-12");
      await heading("11+ Jobs").waitFor();
      await page.getByRole("button", { name: "Download" }).click();
      await page.getByRole("button", { name: "Load up to 10,000 first" }).click();
      const [name, text] = await downloaded("CSV of 11 Jobs");
      expect(name).toMatch(/^outlive-jobs-\d{8}T\d{6}Z\.csv$/);
      const lines = text.split("\r\n");
      expect(lines).toHaveLength(13);
      expect(lines.slice(0, 3)).toEqual([
        "name,durationSeconds,created,label:team",
        "job-12,118,2026-01-01T00:12:00Z,'=cmd|calc",
        "job-120,10,2026-01-01T02:00:00Z,'=cmd|calc",
      ]);
    });

    it("as JSON of the rows that are loaded, and with a command for all", async () => {
      await open("#/jobs?cluster=east&columns=state,name");
      await page.getByRole("button", { name: "Download" }).click();
      const command = page.getByText("outlive jobs -A --cluster=east --limit 0 -o csv --server http://127.0.0.1");
      await command.waitFor();
      const [, text] = await downloaded("JSON of 100 loaded rows");
      const rows: unknown = JSON.parse(text);
      expect(rows).toHaveLength(100);
      expect(rows).toContainEqual({ state: "Failed", name: "job-129" });
    });
  });

  describe("on a phone", () => {
    it("folds its filters into one line that says what is filtered", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await open("#/jobs?cluster=east&state=Failed");
      await page.getByText("Cluster east · State Failed").waitFor();
      expect(await page.getByRole("searchbox").isVisible()).toBe(false);
      await page.keyboard.press("/");
      await page.keyboard.press("Enter");
      await page.getByRole("searchbox").fill("job-99");
      await heading("1 Job").waitFor();
    });

    it.each(["#/jobs", "#/runs", "#/cronjobs", "#/jobs?columns=state,name,owner,started,finished,reserved"])(
      "%s fits the screen, cuts no header, and has rows as tall as a finger",
      async (hash) => {
        await page.setViewportSize({ width: 390, height: 844 });
        await open(hash);
        await page.locator("thead th").first().waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
        const cut = `[...document.querySelectorAll("thead th")].filter((th) => th.scrollWidth > th.clientWidth).length`;
        expect(await page.evaluate(cut)).toBe(0);
        const rows = `[...document.querySelectorAll(".virtual tbody tr:not(.spacer)")].map((tr) => tr.clientHeight)`;
        expect(Math.min(44, ...(await page.evaluate<number[]>(rows)))).toBe(44);
        for (const menu of ["Columns", "Download", "Save or share…"]) {
          await page.getByRole("button", { name: menu }).click();
          const box = await page.locator(".drop:not([hidden])").boundingBox();
          expect(box?.x).toBeGreaterThanOrEqual(0);
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
          await page.keyboard.press("Escape");
        }
      },
    );

    it("opens a Job by a tap anywhere on its row", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await open("#/jobs?cluster=east");
      await page
        .locator('tr[aria-rowindex="3"] td:visible')
        .last()
        .click({ position: { x: 2, y: 40 }, force: true });
      await heading(/job-128/).waitFor();
    });
  });

  describe("can be shared", () => {
    it("by a link with a name, which is the title until the reader changes the view", async () => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await open("#/jobs?cluster=east&state=Failed&sort=name");
      await page.getByRole("button", { name: "Save or share…" }).click();
      await page.getByLabel("Name of the view").fill("Night <b>shift</b>");
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const link = await page.evaluate<string>("navigator.clipboard.readText()");
      await page.goto("about:blank");
      await page.goto(link);
      await page.getByText("Night <b>shift</b>", { exact: true }).waitFor();
      expect(await page.title()).toBe("Night <b>shift</b> · Outlive");
      await page.getByRole("button", { name: "Save it in this browser" }).click();
      const saved = page.getByRole("link", { name: "Night <b>shift</b>" });
      expect(await saved.getAttribute("href")).toBe("#/jobs?cluster=east&state=Failed&sort=name");
      expect(await saved.getAttribute("aria-current")).toBe("true");
      expect(page.url()).not.toContain("view=");
      await page.goto(link);
      await page.getByText("shared view").waitFor();
      await header("Age").getByRole("button").click();
      await page.getByText("shared view").waitFor({ state: "detached" });
      expect(await page.title()).toBe("Jobs · Outlive");
    });

    it("in each view, whose saved views are its own", async () => {
      await open("#/runs?view=Trainings&kind=jobset");
      await page.getByRole("button", { name: "Save it in this browser" }).click();
      await page.getByRole("link", { name: "Trainings" }).waitFor();
      await page.getByRole("button", { name: "Delete view Trainings" }).waitFor();
      await open("#/cronjobs?view=Mine");
      await page.getByText("Mine", { exact: true }).waitFor();
      expect(await page.getByRole("link", { name: "Trainings" }).count()).toBe(0);
    });
  });

  it.each([
    ["#/jobs?cluster=east&view=Night&createdBefore=2030-01-01T00:00:00Z", "Columns"],
    ["#/jobs?cluster=east", "Download"],
    ["#/runs", "Save or share…"],
    ["#/cronjobs", "Columns"],
  ])("%s with the menu %s has no violation that axe reports, wide or narrow", async (hash, menu) => {
    await open(hash);
    await page.getByRole("button", { name: menu }).click();
    expect(await axeFindings()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: /^Filters/ }).press("Enter");
    expect(await axeFindings()).toEqual([]);
  });
});

async function open(hash: string): Promise<void> {
  requests.length = 0;
  page.on("request", (request) => {
    const [, path] = request.url().split("/v1/");
    if (path !== undefined) requests.push(decodeURIComponent(path));
  });
  await page.goto(`${served.url}${hash}`);
  await heading(/^\d+\+? (Jobs?|runs?|CronJobs?)$/).waitFor();
}

const header = (name: string) => page.getByRole("columnheader", { name, exact: true });
const headers = () => page.getByRole("columnheader").allInnerTexts();
const firstRow = (text: string) =>
  page.locator('tr[aria-rowindex="2"]', { has: page.getByText(text, { exact: true }) });

async function downloaded(button: string): Promise<readonly [name: string, text: string]> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const file = await download;
  return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
}

/** A Job a minute, each a second shorter than the one before. One in ten has failed. */
function finishedJob(n: number): Story["facts"] {
  const name = `job-${n}`;
  const story = new Story(name);
  story.after(60 * n);
  story.jobCreated({ completions: 1 }, { name, createdAt: story.now, labels: { team: "=cmd|calc" } });
  const startTime = story.now;
  story.jobReported({ active: 1, startTime });
  story.after(JOBS - n);
  if (n % 10 === 9) story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1, startTime });
  else story.jobFinished("Complete", "CompletionsReached", { succeeded: 1, startTime, completionTime: story.now });
  return story.facts;
}
