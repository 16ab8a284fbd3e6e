import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { cellOf, skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { tell } from "../support/stores/metered-tracker.ts";
import { dagsterJob, queuedJobSet, restartedJobSet } from "../support/story/run-story.ts";

const scratch = scratchFolder();
let embedded: Embedded;
let served: ServedPage;

describe.skipIf(skipWithoutBrowser())("the page, about runs", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    embedded = openEmbedded(`${scratch.path}/outlive.sqlite`);
    await tell(embedded, [...restartedJobSet(), ...queuedJobSet(), ...dagsterJob("r-1")]);
    served = await servePage({ stores: embedded, folder: `${scratch.path}/page` });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    embedded.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  it("lists runs with their Jobs and attempts, and filters them", async () => {
    await page.goto(`${served.url}#/runs`);
    await heading("3 runs").waitFor();
    expect(await cellOf(page, "Runs", "train", "State")).toContain("Complete");
    expect(await cellOf(page, "Runs", "train", "Jobs complete")).toBe("2/4");
    expect(await cellOf(page, "Runs", "train", "Attempts")).toBe("2");
    expect(await cellOf(page, "Runs", "next", "State")).toContain("Queued");
    await page.getByLabel("External id").fill("dagster/run-id=r-1");
    await page.keyboard.press("Enter");
    await heading("1 run").waitFor();
    expect(page.url()).toContain("externalId=dagster");
    await page.goto(`${served.url}#/runs?kind=workflow`);
    await heading("No runs match these filters").waitFor();
  });

  it("shows the attempts of a run, and what failed first", async () => {
    await page.goto(`${served.url}#/runs`);
    await page.getByRole("link", { name: "JobSet train" }).click();
    await heading(/Complete.*train/).waitFor();
    expect(await cellOf(page, "Attempts", "train-worker-1", "State")).toContain("Failed");
    expect(await cellOf(page, "Attempts", "train-worker-1", "Failed first")).toContain("exit code 3");
  });

  it("says first what `why` says, with the evidence below", async () => {
    await page.goto(`${served.url}#/runs/east/ml/jobset/train`);
    await page.getByText("Complete in attempt 1: 2 of 2 Jobs complete; attempt 0 exited with code 3.").waitFor();
    await page.getByRole("region", { name: "Evidence" }).getByText("jobset/train").first().waitFor();
  });

  it("draws Jobs and Pods of each attempt on one axis, with a text alternative", async () => {
    await page.goto(`${served.url}#/runs/east/ml/jobset/train`);
    const panel = page.getByRole("region", { name: "Timeline of Jobs and Pods" });
    await panel.getByText("Attempt 0: Failed").waitFor();
    await panel.getByText("Attempt 1: Complete").waitFor();
    await panel
      .getByRole("img", { name: /^4 rows from / })
      .first()
      .waitFor();
  });

  it("says what became of the time that Pods reserved", async () => {
    await page.goto(`${served.url}#/runs/east/ml/jobset/train`);
    const panel = page.getByRole("region", { name: "Reserved" });
    await panel.getByText("4 Pods reserved 1 min 10 s").waitFor();
    expect(await panel.getByRole("row", { name: "kept" }).innerText()).toContain("0.0167 core h");
  });

  it("leads from a Job to its run and back", async () => {
    await page.goto(`${served.url}#/runs/east/ml/jobset/train`);
    const jobs = page.getByRole("region", { name: "Jobs of all attempts" });
    await jobs.getByRole("link", { name: "train-worker-0" }).first().click();
    await page.getByRole("link", { name: "JobSet train" }).click();
    await heading(/Complete.*train/).waitFor();
    await page.keyboard.press("u");
    await heading(/train-worker-0/).waitFor();
  });

  it("says what a queued run waits for", async () => {
    await page.goto(`${served.url}#/runs/east/ml/jobset/next`);
    const evidence = page.getByRole("region", { name: "Evidence" });
    await evidence.getByText("It has waited in queue main for").waitFor();
  });

  it("says what to do about an unknown run", async () => {
    await page.goto(`${served.url}#/runs/east/ml/jobset/trian`);
    await page.getByText("Did you mean").waitFor();
  });
});
