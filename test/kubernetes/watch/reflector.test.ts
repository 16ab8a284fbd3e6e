import { describe, expect, it } from "vitest";
import { clock, NOW, retry, server } from "../../support/kubernetes/cluster-scene.ts";
import { watchOf } from "../../support/kubernetes/fake-api-server.ts";
import { begin, pod, run, SILENT, version } from "../../support/kubernetes/reflector-scene.ts";
import { podObject } from "../../support/kubernetes/watch-objects.ts";

function bookmark(annotations: Readonly<Record<string, string>> = {}) {
  return { type: "BOOKMARK", object: { kind: "Pod", metadata: { resourceVersion: "100", annotations } } };
}

describe("a new stream", () => {
  it("yields the objects, the end of the list, and then the changes", async () => {
    server.put("pods", pod("a"));
    begin();
    await run.watching();
    server.put("pods", pod("b"));
    server.remove("pods", pod("a"));
    await run.until(() => run.seen.length === 3);
    expect(run.seen).toEqual(["ADDED a", "ADDED b", "DELETED a"]);
    expect(run.steps.map(({ kind }) => kind).slice(0, 4)).toEqual(["listing", "seen", "listed", "seen"]);
    expect(run.lists[0]?.gap).toBeUndefined();
    expect(run.newsOf("listed")).toMatchObject([{ objects: 1, how: "streamed" }]);
  });

  it("goes on with its list after a bookmark that does not end it", async () => {
    const end = bookmark({ "k8s.io/initial-events-end": "true" });
    const lines = [bookmark(), { type: "ADDED", object: pod("a") }, end];
    server.next("streamingList", "pods", watchOf(lines, { ends: false }));
    begin();
    await run.watching();
    expect(run.steps.map(({ kind }) => kind)).toEqual(["listing", "seen", "listed"]);
    expect(run.newsOf("listed")).toMatchObject([{ objects: 1, how: "streamed" }]);
  });

  it("has no position before its list is complete", async () => {
    server.put("pods", pod("a"));
    begin();
    await run.watching();
    const [listing, seen, listed] = run.steps;
    expect(listing?.position.resourceVersion).toBeUndefined();
    expect(seen?.position.resourceVersion).toBeUndefined();
    expect(listed?.position.resourceVersion).toBe(101);
  });

  it("requests bookmarks, a time limit, no selector and no compression", async () => {
    begin();
    await run.watching();
    const [asked] = server.asked.filter(({ what }) => what === "streamingList");
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({
      watch: "1",
      allowWatchBookmarks: "true",
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
      timeoutSeconds: "300",
    });
    expect(asked?.headers).toMatchObject({ "accept-encoding": "identity", authorization: "Bearer secret" });
  });

  it("moves its cursor with bookmarks", async () => {
    begin();
    await run.watching();
    server.pass(50);
    server.bookmark("pods");
    await run.until(() => run.steps.at(-1)?.position.resourceVersion === 150);
    expect(run.steps.at(-1)?.kind).toBe("moved");
  });

  it("watches one namespace if it is configured", async () => {
    begin({ namespace: "night" });
    await run.watching();
    expect(server.asked.find(({ what }) => what === "streamingList")?.path).toBe("/api/v1/namespaces/night/pods");
  });
});

describe("a stream that continues from a position", () => {
  it("lists only metadata, and yields the changes since then", async () => {
    server.put("pods", pod("a"));
    server.put("pods", pod("b"));
    begin({ start: { seenAt: NOW, resourceVersion: version(101) } });
    await run.until(() => run.seen.length === 1);
    expect(run.seen).toEqual(["ADDED b"]);
    expect(run.lists).toEqual([]);
    const present = run.steps.flatMap((step) => (step.kind === "present" ? step.objects : []));
    expect(present).toMatchObject([{ metadata: { name: "a" } }, { metadata: { name: "b" } }]);
    expect(present.every((object) => object["spec"] === undefined)).toBe(true);
  });

  it("has a gap if the position was not stored", async () => {
    begin({ start: { seenAt: NOW - 9000, gapReason: "No watch." } });
    await run.watching();
    expect(run.lists[0]?.gap).toEqual({ from: NOW - 9000, to: NOW, reason: "No watch." });
  });
});

describe("a watch that ends", () => {
  it.each([
    ["ended, as its time was over", 0, () => server.end("pods")],
    ["cut off", 500, () => server.cut("pods")],
    [
      "cut off in the middle of a line",
      500,
      () => {
        server.write("pods", `{"type":"MODIFIED","object":{"metadata":{"name":"a","resourceVersion":"9999"`);
        server.cut("pods");
      },
    ],
  ])("continues without a gap or a repeat when it was %s", async (_, wait, end) => {
    begin();
    await run.watching();
    server.put("pods", pod("a"));
    await run.until(() => run.seen.length === 1);
    end();
    server.put("pods", pod("b"));
    if (wait > 0) await retry(wait);
    await run.watching(2);
    await run.until(() => run.seen.length === 2);
    expect(run.seen).toEqual(["ADDED a", "ADDED b"]);
    expect(run.lists).toHaveLength(1);
    expect(server.asked.find(({ what }) => what === "watch")?.query.get("resourceVersion")).toBe("101");
  });

  it("requests a small list before it continues", async () => {
    begin();
    await run.watching();
    server.put("pods", pod("a"));
    await run.until(() => run.seen.length === 1);
    server.end("pods");
    await run.watching(2);
    expect(server.asked.map(({ what }) => what).slice(-2)).toEqual(["probe", "watch"]);
  });

  it("backs off if it ends at once again and again", async () => {
    begin({ start: { seenAt: NOW, resourceVersion: version(100) } });
    for (let times = 0; times < 3; times += 1) server.next("watch", "pods", watchOf([]));
    await retry(500);
    await retry(1000);
    await retry(2000);
    await run.watching(4);
    expect(run.newsOf("problem").map(({ retryInMillis }) => retryInMillis)).toEqual([500, 1000, 2000]);
    expect(run.newsOf("relisting")).toEqual([]);
  });
});

describe("a watch that delivered a change", () => {
  it("begins again with the shortest wait when it fails", async () => {
    begin({ start: { seenAt: NOW, resourceVersion: version(100) } });
    for (let times = 0; times < 2; times += 1) server.next("watch", "pods", watchOf([]));
    await retry(500);
    await retry(1000);
    await run.watching(3);
    server.put("pods", pod("a"));
    await run.until(() => run.seen.length === 1);
    server.next("watch", "pods", watchOf([]));
    server.end("pods");
    await retry(500);
    await run.watching(5);
    expect(run.newsOf("problem").map(({ retryInMillis }) => retryInMillis)).toEqual([500, 1000, 500]);
  });
});

describe("a silent watch", () => {
  it("is reopened after 30 s, and then yields the withheld events", async () => {
    begin();
    await run.watching();
    await clock.armed(SILENT);
    server.next("watch", "pods", watchOf([{ type: "ADDED", object: pod("late") }], { ends: false }));
    await clock.advance(SILENT);
    await run.watching(2);
    await run.until(() => run.seen.length === 1);
    expect(run.newsOf("stalled")).toHaveLength(1);
    expect(run.newsOf("problem")).toEqual([]);
    expect(run.lists).toHaveLength(1);
  });

  it("is complete up to the instant at which it was opened", async () => {
    begin();
    await run.watching();
    for (let times = 2; times < 4; times += 1) {
      await clock.armed(SILENT);
      await clock.advance(SILENT);
      await run.watching(times);
    }
    expect(run.steps.at(-1)?.position.seenAt).toBe(NOW + SILENT);
  });

  it("does not count the time without a reader", async () => {
    begin();
    await run.watching();
    await clock.armed(SILENT);
    await clock.advance(SILENT - 1);
    server.bookmark("pods");
    await run.until(() => run.steps.at(-1)?.kind === "moved");
    await clock.advance(SILENT - 1);
    expect(run.newsOf("stalled")).toEqual([]);
  });
});

describe("an unusual object", () => {
  it("is skipped and named if it is larger than 8 MiB, and the cursor moves past it", async () => {
    begin();
    await run.watching();
    const huge = podObject({
      metadata: { name: "huge", uid: "uid-huge", resourceVersion: "140", annotations: { blob: "x".repeat(9_000_000) } },
    });
    server.send("pods", { type: "ADDED", object: huge });
    await run.until(() => run.newsOf("rejected").length === 1);
    server.send("pods", { type: "ADDED", object: pod("small") });
    await run.until(() => run.seen.length === 1);
    expect(run.newsOf("rejected")[0]?.object).toContain("Pod night/huge of more than 8388608 bytes");
    expect(run.seen).toEqual(["ADDED small"]);
  });

  it("of 1.5 MB is read like any other", async () => {
    begin();
    await run.watching();
    server.put("pods", podObject({ metadata: { name: "large", annotations: { blob: "x".repeat(1_500_000) } } }));
    await run.until(() => run.seen.length === 1);
    expect(run.seen).toEqual(["ADDED large"]);
  });
});
