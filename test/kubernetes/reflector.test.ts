import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decodeResourceVersion } from "../../src/job/order.ts";
import { FakeApiServer, status, watchOf } from "../support/fake-api-server.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { ReflectorRun, type ReflectorRunOptions } from "../support/reflector-run.ts";
import { podObject } from "../support/watch-objects.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const SILENT = 30_000;

let clock: ManualClock;
let server: FakeApiServer;
let run: ReflectorRun;

beforeEach(async () => {
  clock = new ManualClock(NOW);
  server = await FakeApiServer.open({ clock });
});
afterEach(async () => {
  await run.stop();
  await server.close();
});

function begin(options: Partial<ReflectorRunOptions> = {}): ReflectorRun {
  run = new ReflectorRun({ server, clock, ...options });
  return run;
}

function pod(name: string) {
  return podObject({ metadata: { name, uid: `uid-${name}` } });
}

function version(number: number) {
  const resourceVersion = decodeResourceVersion(String(number));
  if (resourceVersion === undefined) throw new Error(`${number} is no resourceVersion.`);
  return resourceVersion;
}

/** The clock goes on by as long as a retry waits, here never spread. */
async function retry(milliseconds: number): Promise<void> {
  await clock.armed(milliseconds);
  await clock.advance(milliseconds);
}

describe("a stream that begins", () => {
  it("tells what there is, that this is all, and then what changes", async () => {
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

  it("has no position before its list is complete", async () => {
    server.put("pods", pod("a"));
    begin();
    await run.watching();
    const [listing, seen, listed] = run.steps;
    expect(listing?.position.resourceVersion).toBeUndefined();
    expect(seen?.position.resourceVersion).toBeUndefined();
    expect(listed?.position.resourceVersion).toBe(101);
  });

  it("asks for what it takes: bookmarks, an end, no selector, nothing compressed", async () => {
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

  it("moves by bookmarks", async () => {
    begin();
    await run.watching();
    server.pass(50);
    server.bookmark("pods");
    await run.until(() => run.steps.at(-1)?.position.resourceVersion === 150);
    expect(run.steps.at(-1)?.kind).toBe("moved");
  });

  it("watches one namespace where it is told to", async () => {
    begin({ namespace: "night" });
    await run.watching();
    expect(server.asked.find(({ what }) => what === "streamingList")?.path).toBe("/api/v1/namespaces/night/pods");
  });
});

describe("a server without streaming lists", () => {
  it.each([
    ["says so", 422],
    ["says so otherwise", 400],
  ])("is asked for pages when it %s", async (_, code) => {
    server.next("streamingList", "pods", status(code, "resourceVersionMatch is forbidden for watch"));
    server.put("pods", pod("a"));
    begin();
    await run.watching();
    expect(run.seen).toEqual(["ADDED a"]);
    expect(run.newsOf("listed")).toMatchObject([{ objects: 1, how: "paged" }]);
    expect(run.newsOf("problem")).toEqual([]);
  });

  it("is asked for pages when it begins a plain watch that never says that this was all", async () => {
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

  it("is asked for pages when its streaming lists break three times", async () => {
    for (let times = 0; times < 3; times += 1) server.next("streamingList", "pods", watchOf([oops()]));
    begin();
    await retry(500);
    await retry(1000);
    await retry(2000);
    await run.watching();
    expect(run.newsOf("listed")).toMatchObject([{ how: "paged" }]);
  });

  it("gives its list page by page, 500 at a time", async () => {
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

  it("is asked for the whole list at once when a page has expired", async () => {
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

  it("begins its list again when it is cut in the middle of an object", async () => {
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

  it("begins its list again when it ends cleanly and too early", async () => {
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

function oops() {
  return { type: "ERROR", object: { code: 500, message: "etcdserver: leader changed" } };
}

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
  ])("is gone on with without a gap or a repeat when it was %s", async (_, wait, end) => {
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

  it("asks for a small list before it goes on", async () => {
    begin();
    await run.watching();
    server.put("pods", pod("a"));
    await run.until(() => run.seen.length === 1);
    server.end("pods");
    await run.watching(2);
    expect(server.asked.map(({ what }) => what).slice(-2)).toEqual(["probe", "watch"]);
  });

  it("waits longer each time when it ends at once, again and again", async () => {
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

describe("a watch that brings nothing", () => {
  it("is opened again after 30 s, and then tells what it kept back", async () => {
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

  it("is known to have told everything up to when it was opened", async () => {
    begin();
    await run.watching();
    for (let times = 2; times < 4; times += 1) {
      await clock.armed(SILENT);
      await clock.advance(SILENT);
      await run.watching(times);
    }
    expect(run.steps.at(-1)?.position.seenAt).toBe(NOW + SILENT);
  });

  it("does not count the time in which nobody reads", async () => {
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

describe("a server that no longer knows what happened", () => {
  it.each([
    ["an ERROR event", () => server.restart()],
    [
      "the status of the response",
      () => {
        server.next("watch", "pods", status(410, "too old resource version"));
        server.end("pods");
      },
    ],
  ])("says so with %s: then everything is listed again, and the gap is told", async (_, end) => {
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
    expect(gap?.reason).toContain("no longer knew what had happened since resourceVersion 101");
  });

  it("is believed at once, without a wait", async () => {
    begin({ start: { seenAt: NOW - 1000, resourceVersion: version(7) } });
    server.compactedTo = 50;
    await run.until(() => run.lists.length === 1);
    expect(run.newsOf("problem")).toEqual([]);
    expect(run.lists[0]?.gap).toMatchObject({ from: NOW - 1000, to: NOW });
  });
});

describe("an etcd that was restored", () => {
  it("is noticed by a resourceVersion that went back, and begins an epoch", async () => {
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

  it("is noticed at the start, before a watch from the future that would say nothing", async () => {
    begin({ start: { seenAt: NOW - 5000, resourceVersion: version(9000) } });
    await run.watching();
    expect(run.timeline.epoch).toBe(1);
    expect(run.lists[0]).toMatchObject({ epoch: 1, gap: { from: NOW - 5000 } });
  });

  it("that another stream noticed ends this one's watch, too", async () => {
    begin();
    await run.watching();
    run.timeline.raise(0);
    await run.until(() => run.lists.length === 2);
    expect(run.lists[1]?.epoch).toBe(1);
  });
});

describe("a stream that goes on from a position", () => {
  it("lists only what exists, and tells what happened since", async () => {
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

  it("that nobody kept tells of a gap, though nothing else is wrong", async () => {
    begin({ start: { seenAt: NOW - 9000, gapReason: "Nobody watched." } });
    await run.watching();
    expect(run.lists[0]?.gap).toEqual({ from: NOW - 9000, to: NOW, reason: "Nobody watched." });
  });
});

describe("a server in trouble", () => {
  it.each([
    ["429 with Retry-After", status(429, "too many requests", { "retry-after": "7" }), 7000, "(429)"],
    ["500", status(500, "etcdserver: request timed out"), 500, "etcdserver: request timed out"],
    ["503 with Retry-After", status(503, "apiserver is shutting down", { "retry-after": "2" }), 2000, "shutting down"],
    ["504", status(504, "Too large resource version: 9, current: 7"), 500, "(504)"],
  ])("that answers %s is asked again later", async (_, answer, wait, said) => {
    server.next("streamingList", "pods", answer);
    begin();
    await retry(wait);
    await run.watching();
    const [problem] = run.newsOf("problem");
    expect(problem?.message).toContain(said);
    expect(problem?.retryInMillis).toBe(wait);
  });

  it("that answers with a login page says where to look", async () => {
    server.next("streamingList", "pods", (response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>Please log in</html>");
    });
    begin();
    await retry(500);
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain("text/html instead of JSON (200): look for a proxy");
  });

  it("that takes a request and never answers is asked again", async () => {
    server.next("streamingList", "pods", () => undefined);
    const asked = server.request("streamingList", "pods");
    begin();
    await asked;
    await clock.advance(65_000);
    await retry(500);
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain("did not answer");
  });

  it("that stops in the middle of a list is asked again", async () => {
    server.next("streamingList", "pods", status(422, "no"));
    server.next("list", "pods", (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(`{"kind":"PodList","metadata":{"resourceVersion":"101"},"items":[`);
    });
    const asked = server.request("list", "pods");
    begin();
    await asked;
    await clock.armed(SILENT);
    await clock.advance(SILENT);
    await retry(500);
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain("in the middle of an answer");
  });

  it("whose watch breaks three times at one place is listed again, with a gap", async () => {
    begin();
    await run.watching();
    server.put("pods", pod("a"));
    await run.until(() => run.seen.length === 1);
    for (let times = 0; times < 2; times += 1) server.next("watch", "pods", watchOf([oops()]));
    server.send("pods", oops());
    await retry(500);
    await retry(1000);
    await retry(2000);
    await run.until(() => run.lists.length === 2);
    expect(run.lists[1]?.gap?.reason).toContain("would not go on from resourceVersion 101");
  });

  it("whose lines are garbled on the way is asked again from where they were not", async () => {
    begin();
    await run.watching();
    server.send("pods", "<html>502</html>");
    await retry(500);
    await run.watching(2);
    expect(run.newsOf("problem")[0]?.message).toContain("what is no event");
    expect(run.lists).toHaveLength(1);
  });

  it("that is gone is said to be, and found again when it is back", async () => {
    const url = server.url;
    begin();
    await run.watching();
    server.next("probe", "pods", (response) => response.destroy());
    server.end("pods");
    await clock.advance(0);
    await retry(500);
    expect(run.newsOf("problem")[0]?.message).toContain(url);
    await run.watching(1);
  });
});

describe("a server that refuses", () => {
  it("says which rule is missing, goes on asking, and tells of the blind window in pieces that double", async () => {
    for (let times = 0; times < 12; times += 1) server.next("streamingList", "pods", status(403, "forbidden"));
    begin();
    for (const wait of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000]) {
      await retry(wait);
    }
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain(
      `grant {apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"]} in a ClusterRole.`,
    );
    const pieces = run.steps.flatMap((step) => (step.kind === "blind" ? [step.gap] : []));
    expect(pieces.map(({ from, to }) => [from - NOW, to - NOW])).toEqual([
      [0, 61_500],
      [61_000, 181_500],
    ]);
    expect(run.lists[0]?.gap?.from).toBe(NOW + 181_000);
  });

  it("names a Role where one namespace is watched, and the group of a Job", async () => {
    server.next("streamingList", "jobs", status(403, "forbidden"));
    begin({ resource: "jobs", namespace: "night" });
    await retry(500);
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain(
      `forbids to list and watch jobs in namespace night (403): grant {apiGroups: ["batch"], resources: ["jobs"], verbs: ["get", "list", "watch"]} in a Role in night.`,
    );
  });

  it("the credentials is asked again with those that are there now", async () => {
    server.next("streamingList", "pods", (response, asked) => {
      server.kubeconfig({ token: "renewed" });
      status(401, "Unauthorized")(response, asked);
    });
    begin();
    await retry(500);
    await run.watching();
    expect(server.asked.at(-1)?.headers.authorization).toBe("Bearer renewed");
    expect(run.newsOf("problem")[0]?.message).toContain("does not accept the credentials (401)");
  });

  it("the version of the API is asked for an older one", async () => {
    server.next("streamingList", "cronjobs", status(404, "the server could not find the requested resource"));
    begin({ resource: "cronjobs" });
    await retry(500);
    await run.watching();
    expect(server.asked.at(-1)?.path).toBe("/apis/batch/v1beta1/cronjobs");
  });
});

describe("an object that is no object of a cluster", () => {
  it("is passed over by its name when it is larger than 8 MiB, and the position moves past it", async () => {
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

  it("of 1.5 MB is an object like any other", async () => {
    begin();
    await run.watching();
    server.put("pods", podObject({ metadata: { name: "large", annotations: { blob: "x".repeat(1_500_000) } } }));
    await run.until(() => run.seen.length === 1);
    expect(run.seen).toEqual(["ADDED large"]);
  });
});
