import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generatedHistory } from "../../cli/demo/generated/generated-history.ts";
import { importGenerated } from "../../cli/demo/import-generated.ts";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { TOUR_STEPS } from "../../web/tour/tour-steps.ts";
import { skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";

const scratch = scratchFolder();
let embedded: Embedded;
let demo: ServedPage;

/** What the views of the tour show, of the generated history. */
const SHOWN = /"kind":"Node"|"namespace":"(?:finance|ml)"/;
/** A text of each view that is there only with its data. */
const SEEN = [/nightly-report|train-ranker/, /8 needless re-runs/, /TrendSlower/, /evicted: Preempted/, /\d+ Jobs/];

const recorded = ["pod-gc-ate-success.ndjson.gz", "pod-gc-ate-success.audit.ndjson.gz"].map(
  (name) => new URL(`../../examples/${name}`, import.meta.url).pathname,
);

describe.skipIf(skipWithoutBrowser())("the tour of a demo", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    embedded = openEmbedded(`${scratch.path}/outlive.sqlite`);
    await importRecordings(embedded, { clusterName: "pod-gc-ate-success", files: recorded });
    const history = generatedHistory(Date.now());
    const shown = history.map((one) => ({ ...one, lines: one.lines.filter((line) => SHOWN.test(line)) }));
    await importGenerated(embedded, shown, scratch.path);
    const config = { signIn: { kind: "none" }, demo: true } as const;
    demo = await servePage({ stores: embedded, folder: `${scratch.path}/page`, config });
  }, 180_000);
  afterAll(async () => {
    await demo.close();
    embedded.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  it("leads through five views by one key, and back", async () => {
    await page.goto(`${demo.url}?tour=1`);
    for (const [index, { hash, title }] of TOUR_STEPS.entries()) {
      await panel().getByRole("heading", { name: title }).waitFor();
      await page
        .locator("main")
        .getByText(SEEN[index] ?? "")
        .first()
        .waitFor();
      expect(new URL(page.url())).toMatchObject({ search: `?tour=${index + 1}`, hash });
      if (index < TOUR_STEPS.length - 1) await page.keyboard.press("Enter");
    }
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await step(4).waitFor();
    await page.goBack();
    await step(5).waitFor();
  });

  it("leaves the page usable: the focus can go on, and a key shows another view", async () => {
    await page.goto(`${demo.url}?tour=3`);
    await step(3).waitFor();
    expect(await isInPanel()).toBe(true);
    for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press("Tab");
    expect(await isInPanel()).toBe(false);
    await page.keyboard.press("2");
    await heading(/\d+\+? Jobs/).waitFor();
    await step(3).waitFor();
  });

  it("is offered where the page begins, until it is declined in this browser", async () => {
    await page.goto(demo.url);
    const offer = page.getByRole("region", { name: "Tour", exact: true });
    await offer.getByRole("link", { name: "Take the tour" }).press("Enter");
    await step(1).waitFor();
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    expect(await offer.count()).toBe(0);
    await page.reload();
    await heading(/need attention/).waitFor();
    expect(await offer.count()).toBe(0);
  });

  it("is closed by Escape, which this browser remembers", async () => {
    await page.goto(`${demo.url}?tour=2`);
    await step(2).waitFor();
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    expect(new URL(page.url())).toMatchObject({ search: "", hash: TOUR_STEPS[1]?.hash });
    expect(await page.evaluate(() => [document.activeElement?.id, localStorage.getItem("outlive.tour")])).toEqual([
      "main",
      "closed",
    ]);
  });

  it("is only in a demo", async () => {
    const other = await servePage({ stores: embedded, folder: `${scratch.path}/other` });
    await page.goto(`${other.url}?tour=1`);
    await heading(/./).first().waitFor();
    expect(await panel().count()).toBe(0);
    await page.close();
    await other.close();
  });
});

function panel() {
  return page.getByRole("region", { name: /^Tour, step/ });
}

function step(number: number) {
  return panel().getByText(`Tour, step ${number} of 5`);
}

function isInPanel(): Promise<boolean> {
  return page.evaluate(() => document.activeElement?.closest(".tour") !== null);
}
