import { beforeAll, describe, expect, it } from "vitest";
import { tokenGrant } from "../../src/http/access/token-access.ts";
import type { ApiStores } from "../../src/http/create-api.ts";
import { grantReader } from "../../src/query/access/readers.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import type { Scope } from "../../src/query/access/scope.ts";
import { CellsScene, type Fault } from "../support/http/cells-scene.ts";
import { emptyStores, tell } from "../support/stores/stores-with-facts.ts";
import { Story } from "../support/story/story.ts";

const DAY = "2026-01-01T";
/** By cluster: the Jobs of a small fleet. Several were created in the same second. */
const FLEET: Readonly<Record<string, readonly Fact[]>> = {
  berlin: [...jobNamed("b1", "08:00:00"), ...jobNamed("b2", "08:00:07"), ...jobNamed("b3", "09:00:00", "web")],
  cork: [...jobNamed("c1", "08:00:00"), ...jobNamed("c2", "07:00:00")],
  dallas: [...jobNamed("d1", "08:00:00"), ...jobNamed("d2", "08:30:00"), ...failedJob("d3", "08:45:00")],
  east: [...jobNamed("e1", "08:00:00"), ...failedJob("e2", "06:00:00")],
};
const EUROPE = ["berlin", "cork"];
const CELL_OF = { berlin: "eu", cork: "eu", dallas: "us", east: "us" };

function jobNamed(name: string, time: string, namespace = "batch"): readonly Fact[] {
  const story = new Story(name, `${DAY}${time}Z`);
  story.jobCreated({ completions: 1 }, { namespace });
  story.podSucceeds("a", 5, { namespace });
  story.jobFinished("Complete", "CompletionsReached", { startTime: story.second(0), completionTime: story.second(5) });
  return story.facts;
}

function failedJob(name: string, time: string): readonly Fact[] {
  const story = new Story(name, `${DAY}${time}Z`);
  story.jobCreated({ completions: 1 }, { namespace: "batch" });
  story.jobFinished("Failed", "DeadlineExceeded", { startTime: story.second(0) });
  return story.facts;
}

async function stageWith(clusters: readonly string[]): Promise<ApiStores> {
  const stores = emptyStores();
  for (const cluster of clusters) await tell(stores, FLEET[cluster] ?? [], { cluster });
  return stores;
}

let [whole, eu, us]: readonly ApiStores[] = [];
beforeAll(async () => {
  whole = await stageWith(Object.keys(FLEET));
  eu = await stageWith(EUROPE);
  us = await stageWith(["dallas", "east"]);
});

const READER: Scope = { grants: ["berlin", "dallas"].map((cluster) => ({ cluster, namespaces: ["batch"] })) };
const ACCESS = { kind: "bearer", tokens: [tokenGrant("all", "everything"), tokenGrant("some", READER)] } as const;
const AS_ALL = { headers: { authorization: "Bearer all" } };
const AS_SOME = { headers: { authorization: "Bearer some" } };

function oneStage(): CellsScene {
  return new CellsScene({ whole: whole ?? emptyStores() }, ACCESS);
}

async function twoCells(clusters: Readonly<Record<string, string>> = CELL_OF): Promise<CellsScene> {
  const scene = new CellsScene({ eu: eu ?? emptyStores(), us: us ?? emptyStores() }, ACCESS);
  return scene.register(["eu", "us"], clusters);
}

const LISTS = [
  "/v1/jobs",
  "/v1/jobs?sort=createdAt",
  "/v1/jobs?state=Failed",
  "/v1/jobs?attention=true",
  "/v1/jobs?cluster=dallas",
  "/v1/jobs?namespace=web",
  "/v1/jobs?name=b2",
  "/v1/jobs?createdBefore=2026-01-01T08:30:00Z",
  "/v1/gaps",
  "/v1/cronjobs",
];
const BY_NAME = [
  "/v1/clusters/berlin/namespaces/batch/jobs/b1",
  "/v1/clusters/dallas/namespaces/batch/jobs/d1",
  "/v1/clusters/dallas/namespaces/batch/jobs/d1/pods",
  "/v1/clusters/dallas/namespaces/batch/jobs/d3/why",
  "/v1/clusters/dallas/namespaces/batch/jobs/d1/history",
  "/v1/clusters/dallas/namespaces/batch/jobs/nothing",
  "/v1/clusters/dallas/jobs/batch?job=batch/d1,batch/nothing",
  "/clusters/dallas/apis/batch/v1/namespaces/batch/jobs",
];

describe("an API over two cells", () => {
  describe.each([
    ["everything", AS_ALL],
    ["two namespaces", AS_SOME],
  ])("asked by a reader of %s", (_, reader) => {
    it.each(LISTS)("lists what one stage with all clusters would list, at every page size: %s", async (path) => {
      const expected = await oneStage().pages(path, reader);
      const cells = await twoCells();
      for (const limit of [1, 2, 3, 100]) {
        const sized = `${path}${path.includes("?") ? "&" : "?"}limit=${limit}`;
        expect(await cells.pages(sized, reader), `limit ${limit}`).toEqual(expected);
      }
    });

    it.each(BY_NAME)("answers by name as that stage: %s", async (path) => {
      const expected = await oneStage().ask(path, reader);
      const { status, body } = await (await twoCells()).ask(path, reader);
      expect({ status, body: withoutVersion(body) }).toEqual({
        status: expected.status,
        body: withoutVersion(expected.body),
      });
    });

    it.each(["", "?by=cluster", "?by=namespace", "?by=hour", "?state=Failed"])(
      "adds up summaries: %s",
      async (query) => {
        const expected = (await oneStage().ask(`/v1/summary${query}`, reader)).body;
        const answered = (await (await twoCells()).ask(`/v1/summary${query}`, reader)).body;
        expect(withoutDurations(answered)).toEqual(withoutDurations(expected));
      },
    );

    it("returns every change once, whatever the page size", async () => {
      const expected = await changesFrom(oneStage(), 100, reader);
      const cells = await twoCells();
      for (const limit of [1, 100]) expect((await changesFrom(cells, limit, reader)).sort()).toEqual(expected.sort());
    });
  });

  it("shows the cell of each cluster", async () => {
    const { body } = await (await twoCells()).ask("/v1/clusters", AS_ALL);
    expect(body.items).toMatchObject([
      { name: "berlin", cell: "eu" },
      { name: "cork", cell: "eu" },
      { name: "dallas", cell: "us" },
      { name: "east", cell: "us" },
    ]);
  });

  it("finds a cluster that is assigned to no cell", async () => {
    const cells = await twoCells({});
    for (const path of BY_NAME.slice(0, 3)) expect((await cells.ask(path, AS_ALL)).status).toBe(200);
    expect(await cells.pages("/v1/jobs", AS_ALL)).toEqual(await oneStage().pages("/v1/jobs", AS_ALL));
  });

  it("waits in the cell of the Job", async () => {
    const { status, body } = await (await twoCells()).ask(`${BY_NAME[1]}/wait?timeoutSeconds=0`, AS_ALL);
    expect({ status, outcome: body["outcome"] }).toEqual({ status: 200, outcome: "met" });
  });

  it("passes on the reader's credentials, and nothing else that the reader sent", async () => {
    const cells = await twoCells();
    await cells.ask("/v1/jobs", { headers: { ...AS_SOME.headers, cookie: "secret", "x-forwarded-for": "1.2.3.4" } });
    const [asked] = cells.asked;
    expect(asked?.headers.get("authorization")).toBe("Bearer some");
    expect([...(asked?.headers.keys() ?? [])].sort()).toEqual(["authorization", "x-outlive-via-cells"]);
  });

  it("asks no cell for a request without valid credentials", async () => {
    const cells = await twoCells();
    expect((await cells.ask("/v1/jobs", { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
    expect(cells.asked).toEqual([]);
  });

  it("asks no cell about a cluster that the reader may not see", async () => {
    const cells = await twoCells();
    const assigned = await cells.ask("/v1/clusters/east/namespaces/batch/jobs/e1", AS_SOME);
    const nowhere = await cells.ask("/v1/clusters/nowhere/namespaces/batch/jobs/e1", AS_SOME);
    expect(assigned.status).toBe(404);
    expect(assigned.text.replaceAll("east", "nowhere")).toBe(nowhere.text);
    expect(cells.asked).toEqual([]);
  });

  it("answers for its own stage alone when another stage asks it", async () => {
    const headers = { ...AS_ALL.headers, "x-outlive-via-cells": "1" };
    const items = await (await twoCells()).pages("/v1/jobs", { headers });
    expect(items).toEqual(await new CellsScene({ eu: eu ?? emptyStores() }, ACCESS).pages("/v1/jobs", AS_ALL));
  });

  it("refuses invalid parameters, cursors and streams", async () => {
    const cells = await twoCells();
    const refused = async (path: string, init: RequestInit = AS_ALL) => (await cells.ask(path, init)).body.type;
    expect(await refused("/v1/jobs?limit=0")).toBe("urn:outlive:problem:bad-parameter");
    expect(await refused("/v1/jobs?colour=red")).toBe("urn:outlive:problem:bad-parameter");
    expect(await refused("/v1/jobs?cursor=a&cursor=b")).toBe("urn:outlive:problem:bad-parameter");
    expect(await refused("/v1/jobs?cursor=WzFd")).toBe("urn:outlive:problem:bad-cursor");
    expect(await refused("/v1/changes?cursor=C!!.a")).toBe("urn:outlive:problem:bad-cursor");
    const accept = { headers: { ...AS_ALL.headers, accept: "text/event-stream" } };
    expect(await refused("/v1/changes", accept)).toBe("urn:outlive:problem:no-streams");
    expect((await cells.ask("/v1/jobs", { ...AS_ALL, method: "POST" })).status).toBe(405);
  });
});

describe("a stage without cells", () => {
  it("answers as without a registry", async () => {
    const alone = oneStage();
    expect((await alone.ask("/v1/clusters", AS_ALL)).text).not.toContain('"cell"');
    expect((await alone.ask("/v1/healthz")).status).toBe(200);
    expect((await alone.ask("/v2", AS_ALL)).status).toBe(404);
  });
});

describe("a cell that does not answer", () => {
  it.each<[Fault, string]>([
    ["refusesConnections", "ECONNREFUSED"],
    ["timesOut", "within 13 s"],
    ["redirects", "redirects"],
    ["answersHtml", "not from an Outlive API"],
    ["fails", "500"],
  ])("and %s is named in the answer, with its clusters", async (fault, reason) => {
    const cells = await twoCells();
    cells.faults.set("us", fault);
    for (const path of ["/v1/jobs", "/v1/clusters", "/v1/summary", "/v1/changes", "/v1/gaps", "/v1/cronjobs"]) {
      const { status, body, headers } = await cells.ask(path, AS_ALL);
      expect(status, path).toBe(200);
      expect(body.unavailable, path).toMatchObject([{ cell: "us", clusters: ["dallas", "east"] }]);
      expect(headers.get("outlive-unavailable-cells")).toBe("us");
      expect(headers.get("warning")).toContain("us");
      // Later than the rest of a silent cell, so that each is a new attempt.
      expect(body.unavailable?.[0]?.reason).toContain(reason);
      cells.now += 20_000;
    }
    expect((await cells.ask("/v1/summary", AS_ALL)).body).toMatchObject({ complete: false, jobs: 5 });
  });

  it("names only the clusters that the reader may know", async () => {
    const cells = await twoCells();
    cells.faults.set("us", "fails");
    expect((await cells.ask("/v1/jobs", AS_SOME)).body.unavailable).toMatchObject([{ clusters: ["dallas"] }]);
  });

  it("fails questions by name, and those of other cells not", async () => {
    const cells = await twoCells();
    cells.faults.set("us", "timesOut");
    const job = await cells.ask("/v1/clusters/dallas/namespaces/batch/jobs/d1", AS_ALL);
    expect(job).toMatchObject({ status: 503, body: { type: "urn:outlive:problem:cell-unavailable" } });
    expect(job.body.detail).toContain('Cell "us" is not available');
    const kube = await cells.ask("/clusters/dallas/apis/batch/v1/namespaces/batch/jobs/d1", AS_ALL);
    expect(kube).toMatchObject({ status: 503, body: { kind: "Status", reason: "ServiceUnavailable" } });
    expect((await cells.ask("/v1/clusters/berlin/namespaces/batch/jobs/b1", AS_ALL)).status).toBe(200);
  });

  it("fails a question about an unassigned cluster that no other cell knows", async () => {
    const cells = await twoCells({});
    cells.faults.set("us", "fails");
    expect((await cells.ask("/v1/clusters/dallas/namespaces/batch/jobs/d1", AS_ALL)).status).toBe(503);
  });

  it("is left out of the rest of a list, which says so, and is in the next list", async () => {
    const cells = await twoCells();
    cells.faults.set("us", "fails");
    const { body } = await cells.ask("/v1/jobs?limit=2", AS_ALL);
    cells.faults.clear();
    const second = await cells.ask(`/v1/jobs?limit=2&cursor=${body.nextCursor}`, AS_ALL);
    expect(second.body.unavailable).toMatchObject([{ cell: "us" }]);
    expect(second.body.items).toHaveLength(2);
    expect(await cells.pages("/v1/jobs", AS_ALL)).toEqual(await oneStage().pages("/v1/jobs", AS_ALL));
  });

  it("keeps its place in the changes, and gives them later", async () => {
    const cells = await twoCells();
    const expected = await changesFrom(oneStage(), 100, AS_ALL);
    cells.faults.set("us", "fails");
    const { body } = await cells.ask(`/v1/changes?limit=500&since=${DAY}00:00:00Z`, AS_ALL);
    cells.faults.clear();
    const later = await cells.ask(`/v1/changes?limit=500&cursor=${body.nextCursor}`, AS_ALL);
    expect([...uidsOf(body), ...uidsOf(later.body)].sort()).toEqual([...expected].sort());
  });

  it("is not asked again for ten seconds", async () => {
    const cells = await twoCells();
    cells.faults.set("us", "timesOut");
    await cells.ask("/v1/jobs", AS_ALL);
    cells.faults.clear();
    const before = cells.asked.length;
    expect((await cells.ask("/v1/jobs", AS_ALL)).body.unavailable).toHaveLength(1);
    expect(cells.asked).toHaveLength(before);
    cells.now += 10_000;
    expect((await cells.ask("/v1/jobs", AS_ALL)).body.unavailable).toBeUndefined();
  });

  it("is a problem if no cell answers", async () => {
    const cells = await new CellsScene({ front: emptyStores(), us: us ?? emptyStores() }, ACCESS).register([
      "front",
      "us",
    ]);
    cells.faults.set("us", "fails");
    // The stage itself answers, so its answer lacks a cell.
    expect((await cells.ask("/v1/jobs", AS_ALL)).body).toMatchObject({ items: [], unavailable: [{ cell: "us" }] });
  });
});

describe("a change of the cells", () => {
  it("makes a cursor of a list invalid, with a reason", async () => {
    const cells = await twoCells();
    const { body } = await cells.ask("/v1/jobs?limit=1", AS_ALL);
    await cells.register(["eu", "us", "ap"]);
    cells.now += 20_000;
    const refused = await cells.ask(`/v1/jobs?limit=1&cursor=${body.nextCursor}`, AS_ALL);
    expect(refused).toMatchObject({ status: 400, body: { type: "urn:outlive:problem:bad-cursor" } });
    expect(refused.body.detail).toContain("The cells of this deployment have changed");
  });

  it("keeps a cursor of changes valid", async () => {
    const stages = { eu: eu ?? emptyStores(), us: us ?? emptyStores() };
    const cells = await new CellsScene(stages, ACCESS).register(["eu"]);
    const first = await cells.ask(`/v1/changes?limit=500&since=${DAY}00:00:00Z`, AS_ALL);
    await cells.register(["eu", "us"]);
    cells.now += 20_000;
    const next = await cells.ask(`/v1/changes?limit=500&cursor=${first.body.nextCursor}`, AS_ALL);
    // A cell that was added begins with what is new.
    expect(next).toMatchObject({ status: 200, body: { items: [] } });
    const us2 = cells.asked.at(-1)?.path;
    expect(us2).toContain(`since=${encodeURIComponent("2026-01-01T23:59:")}`);
  });

  it("continues a cursor that the stage gave when it had no cells", async () => {
    const stages = { eu: eu ?? emptyStores(), us: us ?? emptyStores() };
    const cells = new CellsScene(stages, ACCESS);
    const first = await cells.ask(`/v1/changes?limit=500&since=${DAY}00:00:00Z`, AS_ALL);
    expect(new Set(uidsOf(first.body)).size).toBe(5);
    await cells.register(["eu", "us"]);
    cells.now += 20_000;
    const next = await cells.ask(`/v1/changes?limit=500&cursor=${first.body.nextCursor}`, AS_ALL);
    expect(next).toMatchObject({ status: 200, body: { items: [] } });
  });
});

/** Job d1 was alive when dallas moved from eu to us: eu knows its beginning, us all of it. */
async function moved(): Promise<CellsScene> {
  const before = emptyStores();
  await tell(before, jobNamed("d0", "05:00:00"), { cluster: "dallas" });
  await tell(before, jobNamed("d1", "08:00:00").slice(0, 2), { cluster: "dallas" });
  const scene = await new CellsScene({ eu: before, us: us ?? emptyStores() }, ACCESS).register(["eu", "us"]);
  await scene.assign("dallas", "eu");
  await scene.assign("dallas", "us");
  return scene;
}

describe("a cluster that moved between cells", () => {
  it("lists each of its Jobs once, as its current cell knows it", async () => {
    const cells = await moved();
    for (const limit of [1, 2, 100]) {
      const items = await cells.pages(`/v1/jobs?cluster=dallas&limit=${limit}`, AS_ALL);
      expect(items).toMatchObject([
        { name: "d3" },
        { name: "d2" },
        { name: "d1", verdict: { state: "Complete" } },
        { name: "d0" },
      ]);
    }
  });

  it("answers by name from its current cell, else from the earlier one", async () => {
    const cells = await moved();
    const job = (name: string) => cells.ask(`/v1/clusters/dallas/namespaces/batch/jobs/${name}`, AS_ALL);
    expect(await job("d1")).toMatchObject({ status: 200, body: { verdict: { state: "Complete" } } });
    expect(await job("d0")).toMatchObject({ status: 200, body: { verdict: { state: "Complete" } } });
    expect((await job("nothing")).status).toBe(404);
    const batch = await cells.ask("/v1/clusters/dallas/jobs/batch?job=batch/d0,batch/d1&uid=d2,nothing", AS_ALL);
    expect(batch.body.items?.map(({ uid }) => uid).sort()).toEqual(["d0", "d1", "d2"]);
    expect(batch.body.missing).toEqual(["nothing"]);
  });

  it("has a warning where earlier Jobs are not in the answer, and in a summary that counts Jobs twice", async () => {
    const cells = await moved();
    const kube = await cells.ask("/clusters/dallas/apis/batch/v1/namespaces/batch/jobs", AS_ALL);
    expect(kube.headers.get("warning")).toContain("eu");
    expect((await cells.ask("/v1/summary", AS_ALL)).body.countedTwice).toEqual(["dallas"]);
    expect((await cells.ask("/v1/summary?cluster=east", AS_ALL)).body.countedTwice).toBeUndefined();
  });

  it("is described by its current cell", async () => {
    const { body } = await (await moved()).ask("/v1/clusters", AS_ALL);
    expect(body.items).toMatchObject([
      { name: "dallas", cell: "us" },
      { name: "east", cell: "us" },
    ]);
  });
});

describe("readers that sign with IAM", () => {
  it("are refused with the reason, because their signature cannot be passed on", async () => {
    const stores = emptyStores();
    const cells = await new CellsScene({ eu: stores, us: emptyStores() }, { kind: "iam" }).register(["eu", "us"]);
    // In a deployed stage, these are one table.
    for (const meta of [cells.meta, stores.meta]) {
      await grantReader(meta, { principalId: "AIDAREADER", grants: ["*"] }, cells.now);
    }
    expect((await cells.ask("/v1/jobs")).status).toBe(401);
    const signed = await cells.ask("/v1/jobs", {}, { iamCaller: "AIDAREADER" });
    expect(signed).toMatchObject({ status: 403, body: { type: "urn:outlive:problem:forbidden" } });
    expect(signed.body.detail).toContain("cannot be passed on");
    // The problem names where to ask instead, the stage itself included.
    expect(signed.body.detail).toContain("(eu: this API with the header x-outlive-via-cells: 1; us: https://");
    const alone = await cells.ask("/v1/jobs", { headers: { "x-outlive-via-cells": "1" } }, { iamCaller: "AIDAREADER" });
    expect(alone).toMatchObject({ status: 200 });
  });
});

/** The resourceVersion of a list of the Kubernetes API is the time of the answer. */
function withoutVersion(body: Record<string, unknown>): unknown {
  return { ...body, metadata: undefined };
}

function withoutDurations({ groups, ...rest }: Record<string, unknown>): unknown {
  const each = groups as readonly Record<string, unknown>[] | undefined;
  return { ...rest, durationSeconds: undefined, ...(each && { groups: each.map(withoutDurations) }) };
}

function uidsOf(body: { readonly items?: readonly unknown[] }): string[] {
  return (body.items ?? []).map((item) => (item as { readonly job: { readonly uid: string } }).job.uid);
}

async function changesFrom(scene: CellsScene, limit: number, reader: RequestInit): Promise<string[]> {
  const uids: string[] = [];
  let place = `since=${DAY}00:00:00Z`;
  for (;;) {
    const { body } = await scene.ask(`/v1/changes?limit=${limit}&${place}`, reader);
    uids.push(...uidsOf(body));
    place = `cursor=${body.nextCursor}`;
    if (body.more !== true) return uids;
  }
}
