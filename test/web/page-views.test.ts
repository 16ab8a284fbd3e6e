import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleRecordings } from "../../cli/demo/example-recordings.ts";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { readLogLinks } from "../../src/query/log-links/log-link-file.ts";
import { shareText } from "../../src/explain/usage/usage-text.ts";
import type { NodesAnswer } from "../../src/explain/nodes/nodes-schema.ts";
import type { UsageReport } from "../../src/query/usage/usage-report.ts";
import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { cellOf, seeText, skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";

const scratch = scratchFolder();
let embedded: Embedded;
let served: ServedPage;

describe.skipIf(skipWithoutBrowser())("the page, on recordings of real clusters", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    const links = readLogLinks("links: [{ name: Grafana, url: 'https://grafana.example.org/{namespace}/{pod}' }]");
    const logLinks = links.outcome === "read" && { logLinks: links.content };
    embedded = openEmbedded(`${scratch.path}/outlive.sqlite`, { ...logLinks });
    for (const { name, files } of await exampleRecordings()) {
      await importRecordings(embedded, { clusterName: name, files });
    }
    served = await servePage({ stores: embedded, folder: `${scratch.path}/page` });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    embedded.close();
    await scratch.remove();
  });
  eachInItsOwnTab();

  describe("Jobs", () => {
    it("lists all Jobs of the API with their counts", async () => {
      const { jobs } = await api<SummaryAnswer>("summary");
      await go("#/jobs");
      await heading("100+ Jobs").waitFor();
      const grid = page.getByRole("grid", { name: "Jobs" });
      expect(await grid.getAttribute("aria-rowcount")).toBe("-1");
      await loadMore();
      await heading(`${jobs} Jobs`).waitFor();
      expect(await grid.getAttribute("aria-rowcount")).toBe(String(jobs + 1));
      await page.getByRole("searchbox").fill("encode");
      await heading("1 Job").waitFor();
      expect(await cellOf(page, "Jobs", "encode", "State")).toContain("Running");
      expect(await cellOf(page, "Jobs", "encode", "Completions")).toBe("18/20");
      expect(await cellOf(page, "Jobs", "encode", "Findings")).toContain("PhantomRunning");
    });

    it("says since when a silent cluster has not been heard of, as its Job's page does", async () => {
      const [job] = (await api<{ items: JobAnswer[] }>("jobs?name=encode")).items;
      const { heardAt = "" } = job?.completeness ?? {};
      expect(heardAt).not.toBe("");
      await go("#/jobs");
      await page.getByRole("searchbox").fill("encode");
      await seeText(page, "The search covers only the 100 loaded Jobs.");
      await loadMore();
      await heading("1 Job").waitFor();
      expect(await cellOf(page, "Jobs", "encode", "Findings")).toContain("stale for");
      await go(`#/job/${job?.cluster}/${job?.namespace}/encode`);
      const banner = page.getByText("The cluster has been silent since");
      await banner.waitFor();
      expect(await banner.locator("time").getAttribute("datetime")).toBe(new Date(heardAt).toISOString());
      await page.getByText("Last known state, as of").first().waitFor();
    });

    it("stores every filter in the address", async () => {
      const failed = (await api<{ items: JobAnswer[] }>("jobs?state=Failed")).items.length;
      await go("#/jobs");
      await page.getByRole("button", { name: "Failed", exact: true }).click();
      await heading(`${failed} Jobs`).waitFor();
      expect(page.url()).toContain("state=Failed");
      await page.reload();
      await heading(`${failed} Jobs`).waitFor();
      expect(await page.getByRole("button", { name: "Failed", exact: true }).getAttribute("aria-pressed")).toBe("true");
      await page.goBack();
      await page.getByRole("button", { name: "Failed", exact: true, pressed: false }).waitFor();
    });

    it("shows the API's message about an invalid selector", async () => {
      await go("#/jobs");
      const labels = page.getByLabel("Label selector");
      await labels.fill("app in (");
      await labels.press("Enter");
      await page.getByRole("alert").getByText("labelSelector").waitFor();
    });

    it("saves a view under a name", async () => {
      await go("#/jobs?state=Failed");
      await page.getByRole("button", { name: "Save or share…" }).click();
      await page.getByLabel("Name of the view").fill("mine");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await go("#/jobs");
      await page.getByRole("link", { name: "mine" }).click();
      expect(page.url()).toContain("state=Failed");
    });

    it("can be used with the keyboard alone, from the filter to a Job and back", async () => {
      await go("#/jobs");
      await page.getByRole("row").nth(3).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("render-0018");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Load more" }).press("Enter");
      await heading("1 Job").waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await heading("Complete render-0018").waitFor();
      await page.keyboard.press("u");
      await heading(/^\d\+ Jobs$/).waitFor();
    });

    it("draws only visible rows, and a key moves to the last one", async () => {
      await go("#/jobs");
      const grid = page.getByRole("grid", { name: "Jobs" });
      const { jobs } = await api<SummaryAnswer>("summary");
      await loadMore();
      await heading(`${jobs} Jobs`).waitFor();
      expect(await grid.getByRole("row").count()).toBeLessThan(80);
      await page.keyboard.press("j");
      await page.keyboard.press("End");
      await page.locator(`tr[aria-rowindex="${jobs + 1}"]:focus`).waitFor();
      await page.keyboard.press("k");
      await page.locator(`tr[aria-rowindex="${jobs}"]:focus`).waitFor();
    });
  });

  describe("a Job whose succeeded Pods were deleted", () => {
    const path = "#/job/pod-gc-ate-success/pod-gc-ate-success/render-0018";

    it("shows its verdict in words first", async () => {
      await go(path);
      await heading("Complete render-0018").waitFor();
      await seeText(page, /8 needless re-runs, each Pod deleted by pod-garbage-collector/);
    });

    it("marks the differences between reported, observed and derived", async () => {
      await go(path);
      await seeText(page, "1 difference.");
      const row = page.getByRole("row", { name: /succeeded ≠/ });
      expect(await row.getByRole("cell").allInnerTexts()).toEqual(["1", "9", "9"]);
    });

    it("lists every Pod that it has had, and who deleted it", async () => {
      await go(path);
      await heading(/All Pods/).waitFor();
      const grid = page.getByRole("grid", { name: "Pods" });
      await grid.waitFor();
      expect(await grid.getAttribute("aria-rowcount")).toBe("10");
      expect(await cellOf(page, "Pods", "render-0018-8vx54", "Deleted by")).toBe("pod-garbage-collector");
      const picture = page.getByRole("img", { name: /9 Pods from 2026-11-21 09:38:14 .* 9 Succeeded; 9 deleted/ });
      expect(await picture.count()).toBe(1);
    });

    it("shows what they reserved, and what became of it", async () => {
      await go(path);
      const reserved = page.getByRole("region", { name: "Reserved" });
      await reserved.getByText(/^9 Pods reserved .* duplicate/).waitFor();
      expect(await reserved.getByRole("rowheader").allInnerTexts()).toEqual(
        expect.arrayContaining(["duplicate", "kept", "Total"]),
      );
    });

    it("links to the logs of its Pods", async () => {
      await go(path);
      const inTable = page.getByRole("grid", { name: "Pods" }).getByRole("link", { name: "Grafana" }).first();
      const first = page.getByRole("region", { name: "How to fix it" }).getByRole("link", { name: "Logs in Grafana" });
      for (const link of [inTable, first]) {
        await link.waitFor();
        expect(await link.getAttribute("href")).toMatch(
          /^https:\/\/grafana\.example\.org\/pod-gc-ate-success\/render-/,
        );
        expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
      }
    });

    it("shows the evidence and the history", async () => {
      await go(path);
      await page.getByRole("region", { name: "Evidence" }).getByText("Succeeded: the Job was complete.").waitFor();
      await page.getByRole("grid", { name: "History" }).getByText("JobCreated").waitFor();
    });

    it("is shown as of an earlier time", async () => {
      await go(`${path}?asOf=2026-11-21T08:38:20Z`);
      await seeText(page, "State at an earlier time:");
      const row = page.getByRole("row", { name: /^succeeded/ });
      expect((await row.getByRole("cell").allInnerTexts())[1]).toBe("1");
      await page.getByRole("button", { name: "Back to now" }).click();
      await seeText(page, "1 difference.");
    });

    it("shows times in the reader's time zone, with UTC as tooltip", async () => {
      await go(path);
      const created = page.locator("time", { hasText: "2026-11-21 09:38:04" }).first();
      expect(await created.getAttribute("title")).toBe("2026-11-21 08:38:04 UTC (shown in CET)");
    });

    it("lists the equivalent commands", async () => {
      await go(path);
      await page.getByText("outlive why job/render-0018 -n pod-gc-ate-success --cluster pod-gc-ate-success").waitFor();
    });

    it("prints as a report: every Pod, no controls", async () => {
      await go(path);
      await page.getByRole("grid", { name: "History" }).getByText("JobCreated").waitFor();
      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("button", { name: "Print as a report" }).isVisible()).toBe(false);
      const paper = await page.pdf({ format: "A4" });
      expect(paper.byteLength).toBeGreaterThan(20_000);
    });
  });

  describe("a name that was used three times", () => {
    it("lists the Jobs with this name, and links to each", async () => {
      await go("#/job/ttl/ttl/nightly");
      await heading("Jobs with this name").waitFor();
      const rows = page.getByRole("table", { name: "Jobs that have had this name" }).getByRole("row");
      expect(await rows.count()).toBe(4);
      await rows.nth(2).getByRole("link").click();
      await heading("Failed nightly").waitFor();
    });
  });

  describe("an unknown Job", () => {
    it("is answered with similar names", async () => {
      await go("#/job/ttl/ttl/nightli");
      await heading("No such Job").waitFor();
      await seeText(page, /Did you mean nightly\?/);
    });
  });

  describe("Clusters and Summary", () => {
    it("show the clusters, and that imported ones are not watched", async () => {
      const { items } = await api<{ items: { name: string }[] }>("clusters");
      await go("#/clusters");
      await heading(`${items.length} clusters`).waitFor();
      expect(await page.getByText("Imported, not watched").count()).toBe(items.length);
    });

    it("show the same for each cluster", async () => {
      const { groups = [] } = await api<SummaryAnswer>("summary?by=cluster");
      await go("#/summary?by=cluster&created=any");
      const grid = page.getByRole("grid", { name: "Jobs by cluster" });
      await grid.waitFor();
      expect(await grid.getAttribute("aria-rowcount")).toBe(String(groups.length + 1));
      const jobs = groups.find(({ key }) => key === "pod-gc-ate-success")?.jobs;
      expect(await cellOf(page, "Jobs by cluster", "pod-gc-ate-success", "Jobs")).toBe(String(jobs));
    });

    it("show the figures of the API", async () => {
      const { jobs, reRuns, byState } = await api<SummaryAnswer>("summary");
      await go("#/summary?created=any");
      await heading(`${jobs} Jobs`).waitFor();
      await page
        .locator(".figure", { hasText: "Needless re-runs" })
        .getByText(String(reRuns.pods), { exact: true })
        .waitFor();
      const complete = page.getByRole("table", { name: "Jobs by state" }).getByRole("row", { name: /Complete/ });
      expect(await complete.getByRole("cell").nth(1).innerText()).toBe(String(byState.Complete));
    });

    it("show what the Jobs reserved, and by cluster", async () => {
      const { usage, groups = [] } = await api<UsageReport>("usage?by=cluster");
      await go("#/summary?by=cluster&created=any");
      const classes = page.getByRole("table", { name: "What Pods reserved, by what became of that time" });
      const kept = classes.getByRole("row", { name: /^kept/ });
      expect(await kept.getByRole("cell").first().innerText()).toBe(shareText(usage.podSeconds, "kept"));
      const clusters = page.getByRole("table", { name: "Reserved by cluster" });
      await clusters.waitFor();
      expect(await clusters.getByRole("rowheader").allInnerTexts()).toEqual(groups.map(({ key }) => key));
    });

    it("compare the nodes on request only, and not again", async () => {
      const { items } = await api<NodesAnswer>("nodes?limit=10&since=2020-01-01T00:00:00Z");
      expect(items.length).toBeGreaterThan(1);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
      const times = (path: string) => asked.filter((name) => name === path).length;
      await page.clock.install();
      await go("#/summary?createdAfter=2020-01-01T00:00:00Z");
      const button = page.getByRole("button", { name: "Compare the nodes" });
      await button.waitFor();
      await page.getByRole("table", { name: "Jobs by state" }).waitFor();
      expect([times("summary"), times("nodes")]).toEqual([1, 0]);
      await button.focus();
      await page.keyboard.press("Enter");
      const table = page.getByRole("table", { name: "Nodes on which most Pods failed" });
      await table.waitFor();
      expect(await table.getByRole("rowheader").count()).toBe(items.length);
      expect(await table.getByRole("rowheader").first().innerText()).toContain(items[0]?.node);
      expect(page.url()).toContain("nodes=shown");
      const again = page.waitForRequest(/\/summary/u);
      await page.clock.runFor(600_000);
      await again;
      expect(times("nodes")).toBe(1);
      await page.getByRole("button", { name: "Hide the nodes" }).click();
      await table.waitFor({ state: "detached" });
      expect(page.url()).not.toContain("nodes=");
    });

    it("read Jobs for other groups on request only", async () => {
      const { groups = [] } = await api<UsageReport>("usage?by=owner");
      const owners = groups.map(({ key }) => key).filter((key) => key !== "");
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).search));
      await go("#/summary?by=owner&created=any");
      const button = page.getByRole("button", { name: "Reserved by owner" });
      await button.waitFor();
      await page.getByRole("button", { name: "Series that waste most" }).waitFor();
      expect(asked.filter((search) => search.includes("by=series"))).toEqual([]);
      await button.click();
      const table = page.getByRole("table", { name: "Reserved by owner" });
      await table.waitFor();
      expect(await table.getByRole("rowheader").allInnerTexts()).toEqual(owners.slice(0, 10));
    });
  });

  it("lists its keys, which open the views", async () => {
    await go("#/jobs");
    await page.getByRole("row").nth(3).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("5");
    await heading(/clusters$/).waitFor();
    await page.keyboard.press("1");
    await heading(/needs? attention$/).waitFor();
    await page.keyboard.press("2");
    await heading("100+ Jobs").waitFor();
  });

  it("lets the first Tab skip to the content", async () => {
    await go("#/jobs");
    await page.getByRole("row").nth(3).waitFor();
    await page.keyboard.press("Tab");
    await page.locator("a.skip:focus").press("Enter");
    await page.locator("main:focus").waitFor();
  });
});

const loadMore = () => page.getByRole("button", { name: "Load more" }).click();
const go = (hash: string) => page.goto(`${served.url}${hash}`);

async function api<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`${served.url}v1/${path}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}
