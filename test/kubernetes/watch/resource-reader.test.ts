import { describe, expect, it } from "vitest";
import type { ClusterResponse } from "../../../src/kubernetes/connection/cluster-connection.ts";
import { ServerClock } from "../../../src/kubernetes/connection/server-clock.ts";
import { kindOf, type ResourceKind } from "../../../src/kubernetes/connection/watched-resource.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { CutListError } from "../../../src/kubernetes/watch/list-page.ts";
import { ResourceReader } from "../../../src/kubernetes/watch/resource-reader.ts";
import { waitingBody } from "../../support/kubernetes/waiting-body.ts";
import { collect } from "../../support/running/collect.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";

interface Scripted {
  readonly status?: number;
  readonly text: string;
}
const RESPONSE = { contentType: "application/json", date: undefined, retryAfterMillis: undefined } as const;

/** A reader of a cluster that answers one request after the other. */
function openReader(answers: readonly Scripted[], kind: ResourceKind = kindOf("pods"), namespace?: string) {
  const clock = new ManualClock();
  const paths: string[] = [];
  const get = async (path: string): Promise<ClusterResponse> => {
    const { status = 200, text } = answers[paths.length] ?? expect.fail(`An unexpected request: ${path}`);
    paths.push(path);
    return { ...RESPONSE, status, body: waitingBody(text, "end") };
  };
  const reader = new ResourceReader({
    connection: { server: "https://east:6443", get, send: async () => expect.fail("A reader sends nothing.") },
    clock,
    serverClock: new ServerClock(clock),
    signal: new AbortController().signal,
    kind,
    random: () => 0.5,
    ...(namespace !== undefined && { namespace }),
  });
  return { reader, paths };
}

function page(names: readonly string[], token?: string): Scripted {
  const items = names.map((name) => ({ metadata: { name } }));
  const metadata = { resourceVersion: "7", ...(token !== undefined && { continue: token }) };
  return { text: JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata, items }) };
}
const EXPIRED: Scripted = { status: 410, text: JSON.stringify({ kind: "Status", code: 410, message: "expired" }) };

async function namesOf(list: ReturnType<ResourceReader["list"]>): Promise<readonly unknown[]> {
  return (await collect(list)).flatMap(({ items }) => items.map(({ metadata }) => (metadata as { name: string }).name));
}

describe("a list of a resource", () => {
  it("has the items of all pages", async () => {
    const { reader, paths } = openReader([page(["a", "b"], "next"), page(["c"])]);
    expect(await namesOf(reader.list())).toEqual(["a", "b", "c"]);
    expect(paths).toEqual(["/api/v1/pods?limit=500", "/api/v1/pods?limit=500&continue=next"]);
  });

  it("starts again in one piece when a page has expired", async () => {
    const { reader, paths } = openReader([page(["a"], "next"), EXPIRED, page(["a", "c"])]);
    await expect(namesOf(reader.list())).rejects.toThrow(CutListError);
    expect(await namesOf(reader.list())).toEqual(["a", "c"]);
    expect(paths.at(-1)).toBe("/api/v1/pods");
  });

  it.each([
    ["is cut", '{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"meta'],
    ["has no version", '{"kind":"PodList","metadata":{},"items":[]}'],
  ])("fails if it %s", async (_, text) => {
    await expect(namesOf(openReader([{ text }]).reader.list())).rejects.toThrow(CutListError);
  });

  it("is of one namespace, except for a kind without namespaces", async () => {
    const pods = openReader([page([])], kindOf("pods"), "night");
    const nodes = openReader([page([])], kindOf("nodes"), "night");
    await namesOf(pods.reader.list());
    await namesOf(nodes.reader.list());
    expect([...pods.paths, ...nodes.paths]).toEqual([
      "/api/v1/namespaces/night/pods?limit=500",
      "/api/v1/nodes?limit=500",
    ]);
  });

  it("fails with the problem of a refusal, which names what to grant", async () => {
    const refused = { status: 403, text: JSON.stringify({ kind: "Status", message: "pods is forbidden" }) };
    const reader = openReader([refused]).reader;
    await expect(namesOf(reader.list())).rejects.toMatchObject({ name: "ResponseProblem", status: 403 });
  });
});

describe("a probe of a resource", () => {
  it("returns the latest version, by the smallest list", async () => {
    const { reader, paths } = openReader([page(["a"])]);
    expect([await reader.probe(), paths]).toEqual([7, ["/api/v1/pods?limit=1"]]);
  });

  it("uses each API version of the kind in turn", async () => {
    const kind: ResourceKind = { ...kindOf("jobs"), apiVersions: ["batch/v2", "batch/v1"] };
    const { reader, paths } = openReader([page([]), page([]), page([])], kind);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await reader.probe();
      reader.tryOtherVersion();
    }
    expect(paths).toEqual(["v2", "v1", "v2"].map((version) => `/apis/batch/${version}/jobs?limit=1`));
  });
});

const line = (name: string): string =>
  JSON.stringify({ type: "ADDED", object: { metadata: { name, resourceVersion: "8" } } });

describe("a watch of a resource", () => {
  it.each([
    [7, "watch=1&allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=450"],
    [
      undefined,
      "watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=450",
    ],
  ])("from %s lasts 5 to 10 minutes", async (from, query) => {
    const { reader, paths } = openReader([{ text: `${line("a")}\n${line("b")}\n` }]);
    const version = from === undefined ? undefined : decodeResourceVersion(String(from));
    const { batches } = await reader.watch(version);
    const [batch] = await collect(batches);
    expect(batch?.events.map((event) => event.kind)).toEqual(["change", "change"]);
    expect(paths).toEqual([`/api/v1/pods?${query}`]);
  });
});
