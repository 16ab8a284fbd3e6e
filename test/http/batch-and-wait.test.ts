import { describe, expect, it } from "vitest";
import { createApi } from "../../src/http/create-api.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { batchGet } from "../../src/query/job/batch-get.ts";
import { apiWith } from "../support/http/request-api.ts";
import { clusterOf, listedJob, second, storesWith } from "../support/story/listed-job.ts";
import { rethrow } from "../support/running/rethrow.ts";
import { Story } from "../support/story/story.ts";
import { storesWithFacts, tell } from "../support/stores/stores-with-facts.ts";

const BATCH = "/v1/clusters/east/jobs/batch";

describe("a batch of Jobs", () => {
  const jobs = [
    listedJob({ uid: "u1", name: "report", createdAt: second(1) }),
    listedJob({ uid: "u2", name: "report", createdAt: second(2) }),
    listedJob({ uid: "u3", name: "import", namespace: "web" }),
  ];

  it("returns Jobs by uid and by name, and lists the missing ones", async () => {
    const { ask } = await apiWith(jobs);
    expect((await ask(`${BATCH}?uid=u1,u9&job=batch/report,web/import&job=web/report`)).body).toMatchObject({
      items: [{ uid: "u1" }, { uid: "u2" }, { uid: "u3" }],
      missing: ["u9", "web/report"],
    });
  });

  it("has nothing of a namespace that is not the reader's, by uid or by name", async () => {
    const scope = { grants: [{ cluster: "east", namespaces: ["web"] }] };
    const wanted = [
      { by: "uid", uid: "u1" },
      { by: "uid", uid: "u3" },
      { by: "name", namespace: "batch", name: "report" },
    ] as const;
    expect(await batchGet(await storesWith(jobs), scope, { cluster: clusterOf("east"), wanted })).toMatchObject({
      items: [{ uid: "u3" }],
      missing: ["u1", "batch/report"],
    });
  });

  it("of another cluster is all missing", async () => {
    const { ask } = await apiWith(jobs);
    expect((await ask("/v1/clusters/west/jobs/batch?uid=u1")).body).toEqual({ items: [], missing: ["u1"] });
  });
});

describe("a wait for a Job", () => {
  it("that is over long ago ends at once", async () => {
    const { ask } = await waitingApi();
    expect(await ask("done", "complete")).toMatchObject({ body: { outcome: "met" }, pauses: 0 });
    expect(await ask("done", "failed")).toMatchObject({ body: { outcome: "endedOtherwise" }, pauses: 0 });
  });

  it("of a running Job polls once a second until the time limit", async () => {
    const { ask } = await waitingApi();
    expect(await ask("running", "finished")).toMatchObject({ body: { outcome: "timedOut" }, pauses: 25 });
    expect(await ask("running", "finished", 0)).toMatchObject({ body: { outcome: "timedOut" }, pauses: 25 });
  });

  it("that is found only after the last poll ends with its outcome", async () => {
    const late = new Story("late");
    late.jobCreated();
    late.jobFinished("Complete");
    const { ask } = await waitingApi({ stays: false, appears: late.facts });
    expect(await ask("late", "complete", 2)).toMatchObject({ status: 200, body: { outcome: "met" } });
    const other = await waitingApi({ stays: false, appears: late.facts });
    expect(await other.ask("late", "failed", 2)).toMatchObject({ status: 200, body: { outcome: "endedOtherwise" } });
  });

  it("that does not exist is answered with 404 after the timeout", async () => {
    const { ask } = await waitingApi();
    expect(await ask("nobody", "finished", 2)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('Job "nobody" not found') as unknown },
      pauses: 2,
    });
  });

  it("ends when the client disconnects", async () => {
    const { ask } = await waitingApi({ stays: false });
    expect(await ask("running", "finished")).toMatchObject({ body: { outcome: "timedOut" }, pauses: 1 });
  });
});

interface WaitingApi {
  readonly stays?: boolean;
  /** Facts that arrive in the pauses. */
  readonly appears?: readonly Fact[];
}

/** An API over a finished and a running Job. Its clock advances only during waits. */
async function waitingApi({ stays = true, appears = [] }: WaitingApi = {}) {
  const done = new Story("done");
  done.jobCreated();
  done.jobFinished("Complete");
  const running = new Story("running");
  running.jobCreated();
  running.podCreated("a");
  running.podStarted("a");
  const stores = await storesWithFacts([...done.facts, ...running.facts]);
  let now = Date.parse("2026-01-02T00:00:00Z");
  let pauses = 0;
  const pause = async (milliseconds: number): Promise<boolean> => {
    pauses += 1;
    now += milliseconds;
    if (appears.length > 0) await tell(stores, appears);
    return stays;
  };
  const app = createApi({
    stores,
    access: { kind: "inProcess" },
    now: () => now,
    pause,
    version: "0",
    onError: rethrow,
  });
  return {
    ask: async (name: string, goal: string, seconds?: number) => {
      const query = seconds === undefined ? "" : `&timeoutSeconds=${seconds}`;
      const path = `/v1/clusters/east/namespaces/default/jobs/${name}/wait?for=${goal}${query}`;
      const response = await app.request(path);
      const body: unknown = await response.json();
      return { status: response.status, body, pauses };
    },
  };
}
