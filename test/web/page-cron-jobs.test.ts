import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { tell } from "../support/stores/metered-tracker.ts";
import { heardAfter, hourly, runAt } from "../support/story/hourly-cron-job.ts";

const scratch = scratchFolder();
let embedded: Embedded;
let served: ServedPage;

describe.skipIf(skipWithoutBrowser())("the page, about a CronJob that missed runs", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    embedded = openEmbedded(`${scratch.path}/outlive.sqlite`);
    await tell(embedded, [hourly(), ...runAt(1).facts, ...heardAfter(3.5).facts]);
    served = await servePage({ stores: embedded, folder: `${scratch.path}/page` });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    embedded.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  it("has it among what failed, with a link to its runs", async () => {
    await page.goto(`${served.url}#/attention?since=all`);
    await heading("1 entry needs attention").waitFor();
    const panel = page.getByRole("region", { name: "Failed now 1" });
    await panel.getByText("No run was created for 2 due times from 2026-01-01T02:00:00Z").waitFor();
    expect(await panel.getByRole("link", { name: "hourly" }).getAttribute("href")).toBe(
      "#/cronjobs/east/default/hourly",
    );
  });
});
