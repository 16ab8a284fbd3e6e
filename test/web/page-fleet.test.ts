import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { axeFindings } from "../support/page/axe-findings.ts";
import { skipWithoutBrowser } from "../support/page/browser.ts";
import { clusterName, FLEET, tellFleet } from "../support/page/fleet-of-clusters.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";

const scratch = scratchFolder();
let embedded: Embedded;
let served: ServedPage;

describe.skipIf(skipWithoutBrowser())("the page, on 200 clusters", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    embedded = openEmbedded(`${scratch.path}/outlive.sqlite`);
    await tellFleet(embedded, Date.now());
    served = await servePage({ stores: embedded, folder: `${scratch.path}/page` });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    embedded.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  it("has all of them on one screen, without scrolling", async () => {
    await page.setViewportSize({ width: 1400, height: 900 });
    await go("#/clusters");
    await heading("200 clusters").waitFor();
    await expect.poll(() => tiles().count()).toBe(FLEET.clusters);
    const lowest = await tiles().evaluateAll((all) =>
      Math.max(...all.map((tile) => tile.getBoundingClientRect().bottom)),
    );
    expect(lowest).toBeLessThan(900);
  });

  it("has silent clusters first, then gaps, then the others by name", async () => {
    await go("#/clusters");
    await expect.poll(() => tiles().count()).toBe(FLEET.clusters);
    const texts = await tiles().allInnerTexts();
    const silent = FLEET.clusters / FLEET.silentEvery;
    const withGaps = FLEET.clusters / FLEET.gapEvery;
    expect(texts.findLastIndex((text) => text.includes("silent"))).toBe(silent - 1);
    expect(texts[0]).toContain(clusterName(163));
    expect(texts.findLastIndex((text) => text.includes("1 monitoring gap"))).toBe(silent + withGaps - 1);
    const others = texts.slice(silent + withGaps).map((text) => text.split("\n")[0] ?? "");
    expect(others).toEqual(others.toSorted());
    expect(texts.filter((text) => /[1-9] failed/u.test(text)).length).toBe(
      Math.ceil(FLEET.clusters / FLEET.failedEvery),
    );
  });

  it("asks for three answers, however many clusters there are", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await go("#/clusters");
    await page.locator(".tile-failed").first().waitFor();
    const answers = asked.filter((path) => path.startsWith("/v1/")).filter((path) => !/changes|attention/u.test(path));
    expect(answers.sort()).toEqual(["/v1/clusters", "/v1/gaps", "/v1/summary"]);
  });

  it("filters by name, in the address, and opens the Jobs of a cluster with the keyboard", async () => {
    await go("#/clusters");
    await heading("200 clusters").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("eu-00");
    await heading("4 of 200 clusters").waitFor();
    await expect.poll(() => tiles().count()).toBe(4);
    expect(page.url()).toContain("q=eu-00");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#\/jobs\?cluster=prod-eu-003/u);
  });

  it("has no violation that axe reports, light or dark, and fits a narrow screen", async () => {
    await go("#/clusters");
    await page.locator(".tile-failed").first().waitFor();
    expect(await axeFindings()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });
});

const go = (hash: string) => page.goto(`${served.url}${hash}`);
const tiles = () => page.getByRole("list", { name: "Clusters, silent ones first" }).getByRole("link");
