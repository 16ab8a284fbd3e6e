import { describe, expect, it } from "vitest";
import { clock, NOW, retry, server } from "../../support/kubernetes/cluster-scene.ts";
import { status, watchOf } from "../../support/kubernetes/fake-api-server.ts";
import { begin, oops, pod, run, SILENT, version } from "../../support/kubernetes/reflector-scene.ts";

describe("a server without streaming lists", () => {
  it.each([
    ["says so", 422],
    ["says so otherwise", 400],
  ])("is read in pages if it %s", async (_, code) => {
    server.next("streamingList", "pods", status(code, "resourceVersionMatch is forbidden for watch"));
    server.put("pods", pod("a"));
    begin();
    await run.watching();
    expect(run.seen).toEqual(["ADDED a"]);
    expect(run.newsOf("listed")).toMatchObject([{ objects: 1, how: "paged" }]);
    expect(run.newsOf("problem")).toEqual([]);
  });

  it("is read in pages if it starts a plain watch without the end of the list", async () => {
    server.next("streamingList", "pods", watchOf([{ type: "ADDED", object: pod("a") }], { ends: false }));
    server.put("pods", pod("a"));
    begin();
    await run.until(() => run.seen.length === 1);
    await clock.armed(SILENT);
    await clock.advance(SILENT);
    await retry(500);
    await run.watching();
    expect(run.newsOf("listed")).toMatchObject([{ objects: 1, how: "paged" }]);
  });

  it("is read in pages if its streaming lists break three times", async () => {
    for (let times = 0; times < 3; times += 1) server.next("streamingList", "pods", watchOf([oops()]));
    begin();
    await retry(500);
    await retry(1000);
    await retry(2000);
    await run.watching();
    expect(run.newsOf("listed")).toMatchObject([{ how: "paged" }]);
  });

  it("is read in pages of 500 objects", async () => {
    server.next("streamingList", "pods", status(422, "no"));
    for (let number = 0; number < 1201; number += 1) server.put("pods", pod(`pod-${number}`));
    begin();
    await run.watching();
    expect(run.seen).toHaveLength(1201);
    const pages = server.asked.filter(({ what }) => what === "list");
    expect(pages.map(({ query }) => [query.get("limit"), query.get("continue")])).toEqual([
      ["500", null],
      ["500", "500"],
      ["500", "1000"],
    ]);
    expect(run.lists[0]?.resourceVersion).toBe(1301);
  });

  it("gets a request for the whole list if a page has expired", async () => {
    server.next("streamingList", "pods", status(422, "no"));
    for (let number = 0; number < 700; number += 1) server.put("pods", pod(`pod-${number}`));
    server.next("list", "pods", (response, asked) => {
      server.next("list", "pods", status(410, "The provided continue parameter is too old"));
      server.answer(response, asked);
    });
    begin();
    await retry(500);
    await run.watching();
    expect(run.seen).toHaveLength(500 + 700);
    expect(server.asked.at(-2)?.query.has("limit")).toBe(false);
    expect(run.lists).toHaveLength(1);
  });

  it("is not asked again at once if it refuses pages, too", async () => {
    server.next("streamingList", "pods", status(422, "no"));
    server.next("list", "pods", status(422, "no"));
    begin();
    await retry(500);
    await run.watching();
    expect(run.newsOf("problem").map(({ retryInMillis }) => retryInMillis)).toEqual([500]);
    expect(run.newsOf("listed")).toMatchObject([{ how: "paged" }]);
  });

  it("is listed again if a list is truncated within an object", async () => {
    server.next("streamingList", "pods", status(422, "no"));
    server.put("pods", pod("a"));
    server.next("list", "pods", (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(`{"kind":"PodList","metadata":{"resourceVersion":"101"},"items":[{"metadata":{"na`);
      response.destroy();
    });
    begin();
    await retry(500);
    await run.watching();
    expect(run.seen).toEqual(["ADDED a"]);
  });

  it("is listed again if a list ends too early", async () => {
    server.next("streamingList", "pods", status(422, "no"));
    server.next("list", "pods", (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"kind":"PodList","metadata":{"resourceVersion":"101"},"items":[`);
    });
    begin();
    await retry(500);
    await run.watching();
    expect(run.lists).toHaveLength(1);
  });
});

describe("a server without the past changes", () => {
  it.each([
    ["an ERROR event", () => server.restart()],
    [
      "the status of the response",
      () => {
        server.next("watch", "pods", status(410, "too old resource version"));
        server.end("pods");
      },
    ],
  ])("that reports %s is listed again, with a gap", async (_, end) => {
    begin();
    await run.watching();
    await clock.advance(60_700);
    server.put("pods", pod("a"));
    await run.until(() => run.seen.length === 1);
    await clock.advance(5_000);
    server.pass(10);
    end();
    await clock.advance(500);
    await run.until(() => run.lists.length === 2 || run.newsOf("problem").length > 0);
    if (run.lists.length < 2) await clock.advance(500);
    await run.until(() => run.lists.length === 2);
    expect(run.seen).toEqual(["ADDED a", "ADDED a"]);
    expect(run.newsOf("relisting")).toEqual([{ kind: "relisting", resource: "pods", cause: "expired" }]);
    const { gap } = run.lists[1] ?? {};
    expect(gap?.from).toBe(NOW + 60_000);
    expect(gap?.to).toBeGreaterThanOrEqual(NOW + 65_700);
    expect(gap?.reason).toContain("no longer had the changes since resourceVersion 101");
  });

  it("is listed again without a wait", async () => {
    begin({ start: { seenAt: NOW - 1000, resourceVersion: version(7) } });
    server.compactedTo = 50;
    await run.until(() => run.lists.length === 1);
    expect(run.newsOf("problem")).toEqual([]);
    expect(run.lists[0]?.gap).toMatchObject({ from: NOW - 1000, to: NOW });
  });
});

describe("a restored etcd", () => {
  it("is detected by a lower resourceVersion, and starts an epoch", async () => {
    begin();
    await run.watching();
    server.put("pods", pod("a"));
    await run.until(() => run.seen.length === 1);
    server.restore(50);
    await retry(500);
    await run.until(() => run.lists.length === 2);
    expect(run.lists.map(({ epoch, resourceVersion }) => [epoch, resourceVersion])).toEqual([
      [0, 100],
      [1, 50],
    ]);
    expect(run.lists[1]?.gap?.reason).toContain("restored");
    expect(server.count("watch", "pods")).toBe(0);
  });

  it("is detected at the start, before a watch from a future resourceVersion", async () => {
    begin({ start: { seenAt: NOW - 5000, resourceVersion: version(9000) } });
    await run.watching();
    expect(run.timeline.epoch).toBe(1);
    expect(run.lists[0]).toMatchObject({ epoch: 1, gap: { from: NOW - 5000 } });
  });

  it("that another stream detected ends this stream's watch, too", async () => {
    begin();
    await run.watching();
    run.timeline.raise(0);
    await run.until(() => run.lists.length === 2);
    expect(run.lists[1]?.epoch).toBe(1);
  });
});
