import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Locator } from "playwright-core";
import { exampleRecordings } from "../../cli/demo/example-recordings.ts";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { readLogLinks } from "../../src/query/log-links/log-link-file.ts";
import { axeFindings } from "../support/page/axe-findings.ts";
import { skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { tell } from "../support/stores/metered-tracker.ts";
import { failedJobSet } from "../support/story/run-story.ts";

const LINKS = "links: [{ name: Grafana, url: 'https://grafana.example.org/{pod}?from={fromMillis}&to={toMillis}' }]";
const LOST = "#/job/pod-gc-ate-success/pod-gc-ate-success/render-0018";
const FAILED = "#/job/deadline/deadline/report-backoff-limit";
const OOM_UID = "600594b8-f9b9-4470-be42-431b3595bc04";

const scratch = scratchFolder();
let embedded: Embedded;
let linked: Embedded;
let served: ServedPage;
let servedLinked: ServedPage;

describe.skipIf(skipWithoutBrowser())("the page of one Job, run or Pod", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    const read = readLogLinks(LINKS);
    embedded = await openWithExamples("plain", {});
    linked = await openWithExamples("linked", read.outcome === "read" ? { logLinks: read.content } : {});
    served = await servePage({ stores: embedded, folder: `${scratch.path}/page` });
    servedLinked = await servePage({ stores: linked, folder: `${scratch.path}/page-linked` });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    await servedLinked.close();
    embedded.close();
    linked.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  describe.each<[string, string, RegExp, RegExp, string]>([
    [
      "a failed Job",
      FAILED,
      /exited with code 1 in 3 of 3/,
      /Read the log of the container/,
      "report-backoff-limit-q6g9t",
    ],
    ["a lost Job", LOST, /8 needless re-runs/, /terminated-pod-gc-threshold/, "render-0018-8vx54"],
    [
      "a running Job",
      "#/job/phantom-running/phantom-running/encode",
      /18 of 20/,
      /Look at the kubelet/,
      "encode-tmw6h",
    ],
    [
      "an OOM-killed Job",
      `#/job/jobset-restarts/jobset-restarts/resnet-workers-0?uid=${OOM_UID}`,
      /OOMKilled/,
      /memory limit, or reduce/,
      "resnet-workers-0",
    ],
    ["a failed JobSet", "#/runs/east/ml/JobSet/broken", /^Failed/, /Read the log/, "broken-worker-1-0-a"],
    [
      "a JobSet that was restarted",
      "#/runs/jobset-restarts/jobset-restarts/JobSet/resnet",
      /attempt 2/,
      /Nothing/,
      "resnet",
    ],
  ])("of %s", (_, hash, answer, remedy, pod) => {
    it.each([
      [1400, 900],
      [390, 844],
    ])("answers in the first screen of %i x %i pixels", async (width, height) => {
      await page.setViewportSize({ width, height });
      await open(servedLinked, hash);
      const first = [
        page.locator(".answer").filter({ hasText: answer }),
        page.locator(".answer-parts").getByText(remedy),
        page.locator(".answer-parts").getByRole("link", { name: pod }).first(),
        page.getByRole("link", { name: "Logs in Grafana" }),
        page.getByRole("heading", { name: /^Timeline of/ }),
      ];
      for (const part of first) expect(await bottomOf(part)).toBeLessThanOrEqual(height);
      expect(await topOf(page.getByRole("img", { name: /from / }).first())).toBeLessThan(height - 20);
      const href = await page.getByRole("link", { name: "Logs in Grafana" }).getAttribute("href");
      expect(href).toMatch(/^https:\/\/grafana\.example\.org\/[a-z0-9-]+\?from=\d{13}&to=\d{13}$/);
    });

    it("says nothing twice, and has no violation that axe reports", async () => {
      await open(served, hash);
      expect(await repeatedSentences()).toEqual([]);
      expect(await axeFindings()).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    });
  });

  it("says how to find the logs if no links are configured", async () => {
    await open(served, FAILED);
    const command = await page.locator(".answer-parts code").innerText();
    expect(command).toBe("kubectl logs report-backoff-limit-q6g9t -n deadline -c work --timestamps");
    await page.getByText("For links, start the server with --log-links FILE").waitFor();
    await open(served, LOST);
    await page.locator(".answer-parts").getByText("Search your logs for Pod render-0018-8vx54").waitFor();
  });

  it("says of a success without findings one sentence, then the timeline", async () => {
    await open(served, "#/job/pod-gc-ate-success/pod-gc-ate-success/render-0307");
    await page.getByText("Complete: 1 of 1 succeeded; no findings.").waitFor();
    expect(await page.locator("main h2").first().innerText()).toBe("Timeline of all Pods");
    expect(await page.getByRole("region", { name: /evidence/i }).count()).toBe(0);
  });

  it("says of a Job without Pods what it waits for, once", async () => {
    await open(served, "#/job/kueue-quota/kueue-quota/too-big");
    await page.getByText(/queued by Kueue in queue main/).waitFor();
    expect(await page.getByText("No Pods of this Job were observed.").count()).toBe(1);
    expect(await repeatedSentences()).toEqual([]);
  });

  it("does not repeat the headline in the finding LimitReached", async () => {
    await open(served, FAILED);
    const entry = page.locator(".findings li").filter({ hasText: "LimitReached" });
    await entry.getByRole("link", { name: "report-backoff-limit-qcxdz" }).waitFor();
    expect(await entry.innerText()).not.toContain("backoffLimit");
  });

  it("takes five requests for a Job, and four for a Pod", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
    const ofApi = () => asked.filter((name) => ["report-backoff-limit", "why", ...LISTS].includes(name)).sort();
    await open(served, FAILED);
    expect(ofApi()).toEqual(["clusters", "history", "pods", "report-backoff-limit", "why"]);
    asked.length = 0;
    await page.locator(".answer-parts").getByRole("link", { name: "report-backoff-limit-q6g9t" }).click();
    await heading(/Failed report-backoff-limit-q6g9t/).waitFor();
    await page.getByRole("grid", { name: "History" }).waitFor();
    expect(ofApi()).toEqual(["gaps", "history", "pods"]);
  });

  describe("of a Pod", () => {
    it("is reached by keyboard from the table of Pods, and left with u", async () => {
      await open(served, FAILED);
      await page.getByRole("grid", { name: "Pods" }).waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await heading(/Failed report-backoff-limit-qcxdz/).waitFor();
      await page.keyboard.press("u");
      await heading(/Failed report-backoff-limit$/).waitFor();
    });

    it("says what became of it, its containers, times, requests and facts", async () => {
      await open(servedLinked, FAILED);
      await page.locator(".answer-parts").getByRole("link", { name: "report-backoff-limit-q6g9t" }).click();
      await page.getByText(/^Failed: container \w+ exited with code 1; counted as a failure\.$/).waitFor();
      const containers = page.getByRole("table", { name: "Runs of containers that have ended" });
      expect(await containers.getByRole("row").nth(1).innerText()).toMatch(/1\s+Error/);
      await page.getByText("deadline-node-c").first().waitFor();
      const facts = page.getByRole("grid", { name: "History" });
      await facts.getByText("PodTerminated").waitFor();
      expect(await facts.getByText("JobCreated").count()).toBe(0);
      await page.getByRole("link", { name: "Logs in Grafana" }).waitFor();
    });

    it("is reached with a click on its bar", async () => {
      await open(served, LOST);
      const picture = page.getByRole("img", { name: /^9 Pods/ });
      await picture.click({ position: { x: 220, y: 8 } });
      await heading(/render-0018-8vx54$/).waitFor();
      await page
        .getByText(/Deleted by pod-garbage-collector/)
        .first()
        .waitFor();
    });

    it("that the Job does not have is answered with a link to the Job", async () => {
      await page.goto(`${served.url}#/pod/deadline/deadline/report-backoff-limit/no-such-uid`);
      await heading("No such Pod").waitFor();
      await page.getByRole("link", { name: "report-backoff-limit" }).click();
      await heading(/Failed report-backoff-limit$/).waitFor();
    });
  });
});

const LISTS = ["pods", "history", "clusters", "gaps"];

async function openWithExamples(name: string, options: Parameters<typeof openEmbedded>[1]): Promise<Embedded> {
  const opened = openEmbedded(`${scratch.path}/${name}.sqlite`, options);
  for (const { name: clusterName, files } of await exampleRecordings()) {
    await importRecordings(opened, { clusterName, files });
  }
  await tell(opened, failedJobSet());
  return opened;
}

async function open({ url }: ServedPage, hash: string): Promise<void> {
  await page.goto(`${url}${hash}`);
  await page.locator("main h1:not(.waiting)").first().waitFor();
  await expect.poll(() => page.locator(".waiting").count(), { timeout: 20_000 }).toBe(0);
}

async function bottomOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
}

async function topOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.y ?? Number.POSITIVE_INFINITY;
}

/** The sentences of at least four words that occur more than once outside of tables of data. */
async function repeatedSentences(): Promise<readonly string[]> {
  const blocks = await page
    .locator("main :is(p, li, dd, dt, h2, h3, figcaption)")
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.closest("table") === null && element.querySelector("p, li") === null)
        .map((element) => element.textContent),
    );
  const sentences = blocks
    .flatMap((block) => block.replaceAll(/\s+/g, " ").split(/(?<=[.;]) /))
    .map((sentence) =>
      sentence
        .trim()
        .replace(/[.;:]$/, "")
        .toLowerCase(),
    )
    .filter((sentence) => sentence.split(" ").length >= 4);
  return sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index);
}
