import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { DAY_MILLIS } from "../../src/job/model/instant.ts";
import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import type { UsageReport } from "../../src/query/usage/usage-report.ts";
import { axeFindings } from "../support/page/axe-findings.ts";
import { skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { FIRST_DAY, GAP_DAY, tellWeeksOfJobs, WEEKLY, WORSE_SINCE } from "../support/page/weeks-of-jobs.ts";

const scratch = scratchFolder();
const NOW = Date.now();
const TODAY = Math.floor(NOW / DAY_MILLIS) * DAY_MILLIS;
const DAYS = 30;
let embedded: Embedded;
let served: ServedPage;

describe.skipIf(skipWithoutBrowser())("the page, on weeks of Jobs", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    embedded = openEmbedded(`${scratch.path}/outlive.sqlite`);
    await tellWeeksOfJobs(embedded, NOW);
    served = await servePage({ stores: embedded, folder: `${scratch.path}/page` });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    embedded.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  describe("the Summary", () => {
    it("draws what each day has had, and says since when it is worse", async () => {
      const { groups = [] } = await api<SummaryAnswer>("summary?by=day");
      await go("#/summary?created=30d");
      const label = await picture("Failed Jobs").getAttribute("aria-label");
      expect(label).toMatch(
        new RegExp(`Failures have risen from \\d+ to \\d+ a day since ${day(WORSE_SINCE)}\\.`, "u"),
      );
      const drawn = await values("Failed Jobs");
      const failed = groups.map(({ byState }) => byState.Failed ?? 0).filter((count) => count > 0);
      expect(drawn).toEqual(failed);
    });

    it("hatches what was not observed, and does not draw it as zero", async () => {
      await go("#/summary?created=30d");
      await picture("Failed Jobs").waitFor();
      const before = DAYS - FIRST_DAY;
      expect(await picture("Failed Jobs").locator(".hatched.unobserved").count()).toBe(before + 1);
      expect(await picture("Failed Jobs").locator(".hatched.partly").count()).toBe(2);
      expect(await picture("Failed Jobs").locator(".bar.current").count()).toBe(1);
      const rows = await tableOf("Failed Jobs");
      expect(rows.length).toBe(DAYS + 1);
      expect(rows.slice(0, before).every(([, failed]) => failed === "–")).toBe(true);
      expect(rows[DAYS - GAP_DAY]).toEqual([day(GAP_DAY), "–", "not observed: a monitoring gap"]);
      expect(rows.at(-1)?.[2]).toBe("yes, not over yet");
    });

    it("has a table with the values of the picture", async () => {
      await go("#/summary?created=30d");
      const drawn = (await values("Failed Jobs")).map(String);
      const listed = (await tableOf("Failed Jobs")).map(([, failed]) => failed);
      expect(listed.filter((failed) => failed !== "–" && failed !== "0")).toEqual(drawn);
    });

    it("opens the Jobs of a bar, and with the keyboard those of a row", async () => {
      const { groups = [] } = await api<SummaryAnswer>("summary?by=day");
      const failed = groups.find(({ key }) => key.startsWith(isoDay(1)))?.byState.Failed;
      await go("#/summary?created=7d");
      await picture("Failed Jobs").locator(".bar").nth(6).locator("rect").first().click();
      await heading(`${failed} Jobs`).waitFor();
      expect(page.url()).toMatch(
        /state=Failed.*createdAfter=.*createdBefore=|createdAfter=.*createdBefore=.*state=Failed/,
      );
      await page.goBack();
      await page.getByText("Table: Failed Jobs").focus();
      await page.keyboard.press("Enter");
      const link = figure("Failed Jobs").getByRole("link", { name: day(1) });
      await link.waitFor();
      await page.keyboard.press("Tab");
      await link.focus();
      await page.keyboard.press("Enter");
      await heading(`${failed} Jobs`).waitFor();
    });

    it("has every filter in the address", async () => {
      await go("#/summary");
      await picture("Duration").waitFor();
      await page.getByRole("combobox", { name: /^Cluster/ }).selectOption(WEEKLY.cluster);
      await page.getByRole("combobox", { name: /^Namespace/ }).selectOption(WEEKLY.namespace);
      await page.getByLabel("Created within").selectOption("24h");
      await page.getByLabel("Owner or series").fill(WEEKLY.owner);
      await page.getByLabel("Owner or series").press("Enter");
      await page.getByText("by hour, UTC").first().waitFor();
      const { cluster, namespace, owner } = WEEKLY;
      const address = new URLSearchParams({ cluster, namespace, created: "24h", owner });
      expect(new URL(page.url()).hash).toBe(`#/summary?${address.toString()}`);
      await page.reload();
      await page.getByRole("img", { name: /^Failed Jobs by hour/ }).waitFor();
      await page.getByRole("link", { name: "Runs of this CronJob" }).click();
      await page.getByRole("link", { name: "Pictures over time" }).click();
      await picture("Failed Jobs").waitFor();
      expect(page.url()).toContain("owner=CronJob%2Freport");
    });

    it("shows the time range of a link", async () => {
      const range = { createdAfter: `${isoDay(2)}T05:59:59.999Z`, createdBefore: `${isoDay(2)}T12:00:00Z` };
      await go(`#/summary?${new URLSearchParams(range).toString()}`);
      await heading("6 Jobs").waitFor();
      await page.getByRole("img", { name: /^Failed Jobs by hour/ }).waitFor();
      const rows = await tableOf("Failed Jobs");
      expect(rows.map(([hour]) => hour?.slice(-5))).toEqual(["06:00", "07:00", "08:00", "09:00", "10:00", "11:00"]);
    });

    it("shows how Pod time was used and wasted", async () => {
      const { usage } = await api<UsageReport>(`usage?since=${isoDay(7)}T00:00:00Z`);
      await go("#/summary");
      await picture("Reserved Pod time").waitFor();
      const kept = await figure("Reserved Pod time").locator(".fill-kept[data-value]").evaluateAll(dataValues);
      expect(Math.round(sum(kept))).toBe(Math.round(usage.podSeconds.kept));
      const failed = await figure("Wasted Pod time").locator(".fill-failed[data-value]").evaluateAll(dataValues);
      expect(Math.round(sum(failed))).toBe(Math.round(usage.podSeconds.failed));
    });

    it("reads waiting times on request only", async () => {
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await go("#/summary");
      const button = page.getByRole("button", { name: "Read the waiting times" });
      await button.waitFor();
      await picture("Duration").waitFor();
      expect(asked.filter((url) => url.includes("startDelays"))).toEqual([]);
      await button.press("Enter");
      await picture("Waiting time").waitFor();
      expect(page.url()).toContain("waiting=shown");
      const median = (await values("Waiting time"))[0];
      expect(median).toBe(30);
    });

    it("asks for four answers", async () => {
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await go("#/summary");
      await picture("Wasted Pod time").waitFor();
      const api = asked.filter((path) => path.startsWith("/v1/") && !OF_EVERY_VIEW.has(path)).sort();
      expect(api).toEqual(["/v1/clusters", "/v1/gaps", "/v1/summary", "/v1/usage"]);
    });
  });

  const views = ["#/summary?waiting=shown", "#/summary?created=24h&usage=shown", "#/cronjobs/prod-eu/batch/report"];

  it.each(views)("%s has no violation that axe reports, light or dark", async (view) => {
    await go(view);
    await page.getByRole("img", { name: /^Duration by/ }).waitFor();
    for (const summary of await page.locator("figure summary").all()) await summary.click();
    expect(await axeFindings()).toEqual([]);
  });

  it("fits a narrow screen", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const view of views) {
      await go(view);
      await page.getByRole("img", { name: /^Duration by/ }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth"), view).toBe(390);
    }
  });
});

/** The stream of changes, and the badge of the navigation. */
const OF_EVERY_VIEW: ReadonlySet<string> = new Set(["/v1/changes", "/v1/attention"]);

const go = (hash: string) => page.goto(`${served.url}${hash}`);
const figure = (title: string) => page.getByRole("figure", { name: title, exact: true });
const picture = (title: string) => figure(title).getByRole("img", { name: title });
const sum = (all: readonly number[]) => all.reduce((total, value) => total + value, 0);
const dataValues = (drawn: readonly Element[]) => drawn.map((mark) => Number(mark.getAttribute("data-value")));

/** A day counted back from today, as pictures and the API write it. */
const day = (back: number) => {
  const at = new Date(TODAY - back * DAY_MILLIS);
  return `${at.getUTCDate()} ${at.toLocaleString("en-GB", { month: "short", timeZone: "UTC" })}`;
};
const isoDay = (back: number) => new Date(TODAY - back * DAY_MILLIS).toISOString().slice(0, 10);

/** The values that a picture has drawn, from left to right. */
async function values(title: string): Promise<readonly number[]> {
  await picture(title).waitFor();
  return picture(title).locator("[data-value]").evaluateAll(dataValues);
}

/** The rows of the table of a picture. */
async function tableOf(title: string): Promise<readonly (readonly string[])[]> {
  await figure(title).getByText(`Table: ${title}`).click();
  const rows = figure(title).locator("tbody tr");
  await rows.first().waitFor();
  return rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
}

async function api<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`${served.url}v1/${path}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}
