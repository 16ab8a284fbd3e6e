import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { axeFindings } from "../support/page/axe-findings.ts";
import { skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { tell } from "../support/stores/metered-tracker.ts";
import { factsOfRuns, nightlyRun } from "../support/story/compared-story.ts";
import { restartedJobSet } from "../support/story/run-story.ts";

const scratch = scratchFolder();
let embedded: Embedded;
let served: ServedPage;

const FAILED = { ended: "Failed", seconds: 400, requests: { cpu: "500m", memory: "268435456" } } as const;
const COMPARED = "#/compare/east/default/job/nightly-12";

describe.skipIf(skipWithoutBrowser())("the page, about two runs", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    embedded = openEmbedded(`${scratch.path}/outlive.sqlite`);
    const runs = Array.from({ length: 12 }, (_, day) => nightlyRun(day));
    await tell(embedded, [
      ...factsOfRuns(...runs, nightlyRun(12, FAILED)),
      ...restartedJobSet(),
      ...restartedJobSet({ name: "other" }),
    ]);
    served = await servePage({ stores: embedded, folder: `${scratch.path}/page` });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    embedded.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  it("leads from a Job to its comparison with the last good run, and to both", async () => {
    await page.goto(`${served.url}#/job/east/default/nightly-12`);
    await page.getByRole("link", { name: "Compare with the last good run" }).click();
    await heading("Compare nightly-12 with the last good run").waitFor();
    const differences = page.getByRole("region", { name: "Differences" });
    await differences.getByRole("link", { name: "nightly-12" }).waitFor();
    await differences.getByRole("link", { name: "nightly-11" }).click();
    await heading(/Complete.*nightly-11/).waitFor();
  });

  it("marks what differs in text, and folds what is equal or unknown", async () => {
    await page.goto(`${served.url}${COMPARED}`);
    const row = page.getByRole("row", { name: "Request memory ≠ (differs)" });
    expect(await row.innerText()).toMatch(/512Mi[^]*256Mi/);
    expect(await page.getByText("Image", { exact: true }).isVisible()).toBe(false);
    await page.getByText("fields unknown for one or both").click();
    expect(await page.getByRole("row", { name: /^Image not/ }).innerText()).toContain("not recorded");
    await page.getByText("fields equal").click();
    await page.getByRole("row", { name: /^Label app/ }).waitFor();
  });

  it("has the times of both beside their bars, with the usual ones of the series", async () => {
    await page.goto(`${served.url}${COMPARED}`);
    const times = page.getByRole("region", { name: "Times" });
    await times.getByText("Whole time ≠ (differs)").waitFor();
    await times.getByText("6 min 45 s").waitFor();
    await times.getByText("the last 12 successful runs took 1 min 5 s (median)").waitFor();
    expect(await times.locator("rect.usual-band").count()).toBe(2);
    const [before = 0, after = 0] = await Promise.all(
      ["before", "after"].map(async (of) => (await times.locator(`.bar-${of}`).last().boundingBox())?.width),
    );
    expect(before / after).toBeCloseTo(65 / 405, 1);
  });

  it("compares with another of the newest runs, and keeps the choice in the address", async () => {
    await page.goto(`${served.url}${COMPARED}`);
    await page.getByRole("button", { name: "Choose another run" }).click();
    const choice = page.getByLabel("Compare with");
    await choice.waitFor();
    expect(await choice.locator("option").count()).toBe(11);
    await choice.selectOption({ label: await optionOf("nightly-9") });
    await heading("Compare nightly-12 with another run").waitFor();
    await page.getByRole("region", { name: "Differences" }).getByRole("link", { name: "nightly-9" }).waitFor();
    expect(page.url()).toContain("with=nightly-9-uid-9");
  });

  it("swaps the two", async () => {
    await page.goto(`${served.url}${COMPARED}`);
    await page.getByRole("link", { name: "Swap the two" }).click();
    await heading("Compare nightly-11 with another run").waitFor();
    const row = page.getByRole("row", { name: "Request memory ≠ (differs)" });
    expect(await row.innerText()).toMatch(/256Mi[^]*512Mi/);
  });

  it("compares from the list of a CronJob's runs, by the keyboard", async () => {
    await page.clock.setFixedTime("2026-01-14T00:00:00Z");
    await page.goto(`${served.url}#/cronjobs/east/default/nightly`);
    const link = page.getByRole("link", { name: "Compare nightly-12 with the last good run" });
    await link.focus();
    await page.keyboard.press("Enter");
    await heading("Compare nightly-12 with the last good run").waitFor();
  });

  it("says why there is no last good run, and compares two runs of another kind", async () => {
    await page.goto(`${served.url}#/runs/east/ml/jobset/train`);
    await page.getByRole("link", { name: "Compare with the last good run" }).click();
    await page.getByText("No earlier run named train is known.").waitFor();
    await page.goto(`${served.url}#/compare/east/ml/jobset/train?with=other-uid`);
    await page.getByText("train is Complete; other of").waitFor();
  });

  it("says that the other one is unknown", async () => {
    await page.goto(`${served.url}${COMPARED}?with=nothing`);
    await page.getByText('has the uid "nothing"').waitFor();
  });

  it("reads the comparison once", async () => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${served.url}${COMPARED}`);
    await page.getByRole("region", { name: "Times" }).waitFor();
    const asked = requests.filter((url) => /\/v1\/clusters\/.+/.test(url));
    expect(asked.map((url) => url.slice(url.indexOf("/v1/")))).toEqual([
      "/v1/clusters/east/namespaces/default/jobs/nightly-12/compare",
    ]);
  });

  it("has no violation that axe reports with the choice of other runs open, and fits a narrow screen", async () => {
    await page.goto(`${served.url}${COMPARED}?others=shown`);
    expect(await axeFindings()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await axeFindings()).toEqual([]);
  });
});

async function optionOf(name: string): Promise<string> {
  const texts = await page.getByLabel("Compare with").locator("option").allInnerTexts();
  return texts.find((text) => text.startsWith(`${name}:`)) ?? "";
}
