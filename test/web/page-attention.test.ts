import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { problem } from "../../src/http/contract/problem.ts";
import { failedJob, repeatedJob, restartedJob } from "../support/page/attention-jobs.ts";
import { axeFindings } from "../support/page/axe-findings.ts";
import { seeText, skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { emptyStores, tell } from "../support/stores/stores-with-facts.ts";
import { heartbeat } from "../support/story/watched-clusters.ts";

const scratch = scratchFolder();
const stores = emptyStores();
const quiet = emptyStores();
const MINUTE = 60_000;
const LOADS = 204;
const STEP_SECONDS = 2;
let served: ServedPage;
let calm: ServedPage;
/** The path and query of each request to the API. */
let requests: string[] = [];

describe.skipIf(skipWithoutBrowser())("what needs attention", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    const now = Date.now();
    const east = { cluster: "east", sealedAt: now };
    await tell(stores, [heartbeat(now, "v1.36.3")], east);
    await tell(quiet, [heartbeat(now, "v1.36.3")], east);
    for (let n = 0; n < LOADS; n += 1) {
      const of = { name: `load-${n}`, namespace: "payments", team: "billing", of: "nightly-load" };
      await tell(stores, failedJob({ ...of, beganAt: now - (n + 20) * MINUTE }), east);
    }
    for (const name of ["settle", "mail", "reports"]) {
      await tell(stores, failedJob({ name, namespace: name, beganAt: now - 400 * MINUTE }), east);
    }
    for (const name of ["encode-1", "encode-2"]) {
      const job = { name, namespace: "media", team: "video", beganAt: now - 60 * MINUTE };
      await tell(stores, restartedJob(job), { cluster: "west", sealedAt: now });
    }
    for (const name of ["train", "tune"]) {
      await tell(stores, restartedJob({ name, namespace: name, of: name, beganAt: now - 90 * MINUTE }), east);
    }
    for (const name of ["render", "thumbs"]) {
      await tell(stores, repeatedJob({ name, namespace: name, beganAt: now - 300 * MINUTE }), east);
    }
    await tell(stores, failedJob({ name: "ancient", namespace: "old", beganAt: now - 20 * 1_440 * MINUTE }), east);
    served = await servePage({ stores, folder: `${scratch.path}/page`, withoutStreams: true });
    calm = await servePage({ stores: quiet, folder: `${scratch.path}/calm`, withoutStreams: true });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    await calm.close();
    await scratch.remove();
  });
  eachInItsOwnTab();
  beforeEach(() => {
    requests = [];
    page.on("request", (request) => {
      const [, path] = request.url().split("/v1/");
      if (path !== undefined) requests.push(path);
    });
  });

  it("is the first view, with one request for its list", async () => {
    await page.goto(served.url);
    await heading("9 entries need attention").waitFor();
    await page.locator(".live:not(.stale)").waitFor();
    expect(requests.toSorted()).toEqual(["attention", "changes", "clusters"]);
  });

  it("has 204 Jobs with one finding as one entry, with links to the newest and to all", async () => {
    await go("#/attention");
    const entry = page.getByRole("article", { name: /nightly-load/ });
    expect(await entry.getByRole("link", { name: "Newest Job" }).getAttribute("href")).toContain("/payments/load-0?");
    await entry.getByRole("link", { name: "204 Jobs" }).click();
    await heading("100+ Jobs").waitFor();
    expect(page.url()).toContain("owner=CronJob%2Fnightly-load");
  });

  it("shows at least eight entries on the first screen", async () => {
    await page.setViewportSize({ width: 1400, height: 900 });
    await go("#/attention");
    const entries = page.getByRole("article");
    await entries.first().waitFor();
    const bottoms = await entries.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    expect(bottoms.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(8);
  });

  it("is filtered by severity, cluster, team and time, all in the address", async () => {
    await go("#/attention");
    await page.getByRole("button", { name: /At risk/ }).click();
    await page.getByRole("region", { name: "Failed now" }).waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("article").count()).toBe(3);
    expect(page.url()).toContain("severity=atRisk");
    await page.getByLabel("Team").selectOption("video");
    await heading("1 entry needs attention").waitFor();
    await page.reload();
    await heading("1 entry needs attention").waitFor();
    await go("#/attention?cluster=west&team=billing");
    await seeText(page, "No entry here");
    await go("#/attention?since=30d&namespace=old");
    await page.getByRole("link", { name: "ancient" }).waitFor();
    expect(requests.filter((path) => path.startsWith("attention?")).at(-1)).toBe("attention?namespace=old&since=30d");
  });

  it("has a number on the tab for what came after the last visit, until it is seen", async () => {
    await page.clock.install();
    await go("#/attention");
    await seeText(page, "This is your first visit in this browser");
    expect(await page.title()).toBe("Attention · Outlive");
    await page.goto(`${served.url}#/clusters`);
    await heading(/clusters$/).waitFor();
    await setHidden(true);
    await page.clock.runFor(6 * MINUTE);
    await tell(stores, failedJob({ name: "late", namespace: "late", beganAt: Date.now() }), { sealedAt: Date.now() });
    await setHidden(false);
    await page.clock.runFor(100);
    await expect
      .poll(async () => {
        await page.clock.runFor(3_000);
        return page.title();
      })
      .toBe("(1) Clusters · Outlive");
    expect(await page.locator("link[rel=icon]").getAttribute("href")).toBe("icon-alert.svg");
    await page.getByRole("link", { name: "Attention 1 new" }).click();
    await page.getByRole("article", { name: /^New Job late/ }).waitFor();
    const first = page.getByRole("article").first();
    expect(await first.innerText()).toContain("late");
    await page.getByRole("button", { name: "Mark all as seen" }).click();
    await expect.poll(() => page.title()).toBe("Attention · Outlive");
    expect(await page.locator("link[rel=icon]").getAttribute("href")).toBe("icon.svg");
  });

  it("takes one request in half a minute while nothing changes, also for what time alone changes", async () => {
    await page.clock.install();
    await page.goto(calm.url);
    await page.locator(".live:not(.stale)").waitFor();
    let open = 0;
    page.on("request", () => (open += 1));
    page.on("requestfinished", () => (open -= 1));
    const secondsOf = async (count: number): Promise<number> => {
      requests = [];
      let seconds = 0;
      for (; requests.length < count; seconds += STEP_SECONDS) {
        await page.clock.runFor(STEP_SECONDS * 1_000);
        await expect.poll(() => open).toBe(0);
      }
      return seconds;
    };
    expect(await secondsOf(45)).toBeGreaterThan(44 * 30);
    const paths = requests.map((path) => path.split("?")[0]);
    expect(paths.filter((path) => path === "attention")).toHaveLength(2);
    expect(paths.filter((path) => path === "changes")).toHaveLength(43);
  });

  it("can be used with the keyboard alone", async () => {
    await go("#/jobs");
    await heading("100+ Jobs").waitFor();
    await page.keyboard.press("1");
    await heading(/entries need attention$/).waitFor();
    const entries = page.getByRole("article");
    await page.keyboard.press("j");
    await expect.poll(() => isFocused(entries.first())).toBe(true);
    await page.keyboard.press("j");
    await expect.poll(() => isFocused(entries.nth(1))).toBe(true);
    await page.keyboard.press("k");
    await expect.poll(() => isFocused(entries.first())).toBe(true);
    await page.keyboard.press("End");
    await expect.poll(() => isFocused(entries.last())).toBe(true);
    await page.keyboard.press("Home");
    await page.keyboard.press("j");
    const second = (await focused().locator(".entry-name").innerText()).trim();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /^Failed / }).waitFor();
    await page.keyboard.press("u");
    await page.getByRole("article").first().waitFor();
    await page.keyboard.press("j");
    await focused().filter({ hasText: second }).waitFor();
    await page.keyboard.press("a");
    await page.locator("input:focus").waitFor();
    await page.keyboard.press("Escape");
    await focused().filter({ hasText: second }).waitFor();
  });

  it("reaches every control with the Tab key", async () => {
    await go("#/attention");
    await page.getByRole("article").first().waitFor();
    await page.locator("main").focus();
    const names: string[] = [];
    for (let step = 0; step < 40 && names.at(-1) !== ""; step += 1) {
      await page.keyboard.press("Tab");
      names.push(
        await page.evaluate("document.activeElement === document.body ? '' : document.activeElement.textContent"),
      );
    }
    const text = names.join("\n");
    for (const wanted of [
      "Failed now",
      "At risk",
      "Finished with findings",
      "All clusters",
      "All teams",
      "nightly-load",
    ]) {
      expect(text).toContain(wanted);
    }
    expect(text).toContain("Acknowledge nightly-load");
  });

  it("says how far an answer reaches that is not complete", async () => {
    const partial = { items: [], complete: false, partial: { since: "2026-01-01T00:00:00Z" }, cronJobsOmitted: 2 };
    await page.route("**/v1/attention", (route) => route.fulfill({ json: partial }));
    await go("#/attention");
    await seeText(page, "Not everything was read:");
    await seeText(page, /2 late CronJobs were not examined/);
    await seeText(page, "No entry here");
  });

  it("says what was checked when nothing needs attention", async () => {
    await page.goto(calm.url);
    await heading("Nothing needs attention").waitFor();
    await seeText(page, /^1 cluster watched, with data that is at most .* old\. Checked at \d\d:\d\d:\d\d/);
    await page.getByRole("link", { name: "all Jobs" }).click();
    await heading("No Jobs yet").waitFor();
  });

  it("has no violation that axe reports, light or dark, with an open form and on a narrow screen", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await go("#/attention");
    await page.getByRole("article").first().waitFor();
    await page.getByRole("button", { name: "Acknowledge nightly-load" }).click();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await axeFindings()).toEqual([]);
  });

  describe("an acknowledgement", () => {
    it("folds the entry at the end of its section with who, until when and why, until it is undone", async () => {
      await go("#/attention");
      await page.getByRole("article", { name: /mail/ }).focus();
      await page.keyboard.press("a");
      await page.locator("input:focus").waitFor();
      await page.keyboard.type("INC-1, Ann looks at it");
      await page.keyboard.press("Enter");
      await page.getByText("1 acknowledged entry").waitFor();
      await focused().waitFor();
      await page.getByText("1 acknowledged entry").press("Enter");
      const folded = page.getByRole("article", { name: /mail/ });
      await folded
        .getByText(/^Acknowledged by this machine .* ago, until \d{4}-\d\d-\d\d .*: INC-1, Ann looks at it$/)
        .waitFor();
      await page.reload();
      await page.getByText("1 acknowledged entry").press("Enter");
      await folded.getByRole("button", { name: "Undo" }).press("Enter");
      await page.getByText("1 acknowledged entry").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Acknowledge mail" }).waitFor();
    });

    it("that the reader may not make names the missing grant, and keeps what was typed", async () => {
      const detail = "You may read this namespace. To acknowledge, you need the grant acknowledge:east/settle.";
      await page.route("**/acknowledgements/**", (route) =>
        route.fulfill({ status: 403, contentType: "application/problem+json", json: problem("forbidden", detail) }),
      );
      await go("#/attention");
      await page.getByRole("button", { name: "Acknowledge settle" }).click();
      await page.getByLabel("Note").fill("mine");
      await page.getByLabel("How long").selectOption("3d");
      await page.getByLabel("Note").press("Enter");
      await page.getByRole("alert").getByText("acknowledge:east/settle").waitFor();
      expect(await page.getByLabel("Note").inputValue()).toBe("mine");
      expect(await page.getByLabel("How long").inputValue()).toBe("3d");
    });
  });
});

const go = (hash: string) => page.goto(`${served.url}${hash}`);
const focused = () => page.locator("article:focus");

const isFocused = (entry: Locator) => entry.evaluate((element) => element === document.activeElement);

/** Chromium without a window has no hidden tabs. */
async function setHidden(hidden: boolean): Promise<void> {
  await page.evaluate(`(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => ${hidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  })()`);
}
