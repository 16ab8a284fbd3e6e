import type { Request } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cellOf, seeText, skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { Story } from "../support/story/story.ts";
import { emptyStores, tell } from "../support/stores/stores-with-facts.ts";

const JOBS = 250;
const scratch = scratchFolder();
const stores = emptyStores();
let served: ServedPage;
/** The path and query of each request to the API. */
let requests: string[] = [];

/** A deployed API cannot stream. */
describe.skipIf(skipWithoutBrowser())("the list of a page that polls", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    for (let n = 0; n < JOBS; n += 1) await tell(stores, runningJob(`job-${n}`));
    served = await servePage({ stores, folder: scratch.path, withoutStreams: true });
  }, 60_000);
  afterAll(async () => {
    await served.close();
    await scratch.remove();
  });
  eachInItsOwnTab();
  beforeEach(async () => {
    requests = [];
    await page.clock.install();
    page.on("request", (request) => note(request));
    await page.goto(`${served.url}#/jobs`);
    await heading(/\d+\+ Jobs$/).waitFor();
    await page.getByText("Silent since").or(page.getByText("Not live")).or(page.getByText("No cluster")).waitFor();
  });

  it("takes four requests for the first screen: Jobs, clusters, attention, and whether there are streams", async () => {
    await expect.poll(() => requests.toSorted()).toEqual(["attention", "changes", "clusters", "jobs?limit=100"]);
  });

  it("takes one request in half a minute while nothing changes, and every fourth has the heartbeats", async () => {
    requests = [];
    for (let turn = 0; turn < 16; turn += 1) await halfAMinute();
    expect(requests.map((path) => path.split("?")[0])).toEqual(Array.from({ length: 16 }, () => "changes"));
    expect(requests.filter((path) => path.includes("heartbeats=true"))).toHaveLength(4);
    expect(requests[0]).toMatch(/^changes\?since=4\ds&limit=100&heartbeats=true$/);
    expect(requests[1]).toMatch(/^changes\?cursor=[^&]+&limit=100$/);
  });

  it("loads further rows while the reader scrolls, to the end", async () => {
    requests = [];
    await page.keyboard.press("j");
    await expect
      .poll(async () => {
        await page.keyboard.press("End");
        await page.clock.runFor(100);
        return page.getByRole("heading", { level: 1 }).innerText();
      })
      .toMatch(/^\d+ Jobs$/);
    expect(requests.filter((path) => path.startsWith("jobs?limit=100&cursor="))).toHaveLength(2);
  });

  it("says that a search covers only loaded rows, and loads more on request", async () => {
    await page.getByRole("searchbox").fill("job-1");
    await seeText(page, "The search covers only the 100 loaded Jobs.");
    await page.getByRole("button", { name: "Load more" }).click();
    await seeText(page, /^of 25\d loaded$/);
  });

  it("shows a change with the next poll, without reading the list again", async () => {
    const name = await page.getByRole("grid").getByRole("link").first().innerText();
    expect(await cellOf(page, "Jobs", name, "State")).not.toContain("Complete");
    await tell(stores, finishedJob(name), { sealedAt: Date.now() });
    requests = [];
    await halfAMinute();
    await page.getByRole("row").filter({ hasText: name }).filter({ hasText: "Complete" }).first().waitFor();
    expect(requests).toHaveLength(1);
  });

  it("sends nothing while its tab is hidden, and asks for what is new at once when it is visible again", async () => {
    requests = [];
    await setHidden(true);
    await page.clock.runFor(600_000);
    expect(requests).toEqual([]);
    const answer = page.waitForResponse(/v1\/changes/);
    await setHidden(false);
    await page.clock.runFor(100);
    await answer;
    await expect.poll(() => requests.toSorted()).toEqual(["attention", expect.stringMatching(/^changes/)]);
  });
});

function note(request: Request): void {
  const [, path] = request.url().split("/v1/");
  if (path !== undefined) requests.push(path);
}

async function halfAMinute(): Promise<void> {
  const answer = page.waitForResponse(/v1\/changes/);
  await page.clock.runFor(30_500);
  await (await answer).finished();
  await page.clock.runFor(100);
}

/** Chromium without a window has no hidden tabs. */
async function setHidden(hidden: boolean): Promise<void> {
  await page.evaluate(`(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => ${hidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  })()`);
}

function runningJob(name: string): Story["facts"] {
  const story = new Story(name);
  story.jobCreated({ completions: 1 }, { name });
  return story.facts;
}

function finishedJob(name: string): Story["facts"] {
  const story = new Story(name);
  story.jobCreated({ completions: 1 }, { name });
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return story.facts;
}
