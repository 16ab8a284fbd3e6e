import { describe, expect, it } from "vitest";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { ADDED_KINDS_MARK } from "../../../src/parents/added-kinds-mark.ts";
import { apiOver } from "../../support/http/request-api.ts";
import { dagsterJob, jobOfWork, queuedJobSet, restartedJobSet } from "../../support/story/run-story.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";

const TRAIN = "/v1/clusters/east/namespaces/ml/runs/jobset/train";

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

async function api() {
  const facts = [
    ...restartedJobSet(),
    ...queuedJobSet(),
    ...dagsterJob("5f1a"),
    ...restartedJobSet({ name: "old", namespace: "theirs" }),
  ];
  const { ask } = apiOver(await storesWithFacts(facts));
  return {
    ask,
    runs: async (query: string) =>
      ((await ask(`/v1/runs${query}`)).body as Page<RunAnswer>).items.map(({ name }) => name),
  };
}

describe("a list of runs", () => {
  it("has what was submitted once, the newest first", async () => {
    const { runs } = await api();
    expect(await runs("")).toEqual(["next", "5f1a", "old", "train"]);
  });

  it.each([
    ["?kind=jobset", ["next", "old", "train"]],
    ["?kind=jobsets.jobset.x-k8s.io&namespace=ml", ["next", "train"]],
    ["?kind=rayjob", []],
    ["?kind=Sweep", []],
    ["?state=queued", ["next"]],
    ["?state=Complete&namespace=ml", ["train"]],
    ["?name=train", ["train"]],
    ["?externalId=dagster/run-id%3D5f1a", ["5f1a"]],
    ["?externalId=dagster/run-id%3Dother", []],
    ["?externalId=dagster/run-id%3D5f1a&namespace=ml", []],
    ["?series=load", ["5f1a"]],
    ["?series=DagsterJob/load", ["5f1a"]],
    ["?createdAfter=2026-01-01T00:00:00Z", ["next"]],
    ["?finishedAfter=2026-01-01T00:00:30Z&namespace=ml", ["train"]],
    ["?attention=true", []],
  ])("with %s has those that match", async (query, names) => {
    expect(await (await api()).runs(query)).toEqual(names);
  });

  it("has pages", async () => {
    const { ask } = await api();
    const names: string[] = [];
    let query = "?limit=1";
    for (let page = 0; page < 9 && query !== ""; page += 1) {
      const { items, nextCursor } = (await ask(`/v1/runs${query}`)).body as Page<RunAnswer>;
      names.push(...items.map(({ name }) => name));
      query = nextCursor === undefined ? "" : `?limit=1&cursor=${nextCursor}`;
    }
    expect(names).toEqual(["next", "5f1a", "old", "train"]);
  });

  it("looks for an id of a kind that only its Jobs name", async () => {
    const { ask } = await api();
    expect(await ask("/v1/runs?externalId=acme/sweep%3Ds-1")).toMatchObject({ status: 200, body: { items: [] } });
  });

  it.each([
    ["state=Happy", /no state \\"Happy/],
    ["externalId=dagster/user%3Dann", /must be KEY=VALUE with one of the keys/],
    ["externalId=dagster/run-id", /must be KEY=VALUE/],
    ["externalId=sweep%3D1", /or an id of an added kind/],
    ["kinds=jobset", /kinds/],
    ["kind=cronjob", /\\"cronjob\\" is not a kind of runs: JobSet, TrainJob, /],
    ["kind=helmhook", /is not a kind of runs/],
    ["kind=jobs.batch", /is not a kind of runs/],
    ["kind=sweeps.acme.io", /or the name of another kind without its group/],
    ["kind=jobset/train", /is not a kind of runs/],
    [
      "finishedAfter=2026-02-01T00:00:00Z&finishedBefore=2026-01-01T00:00:00Z",
      /so no run can match: exchange the two values/,
    ],
  ])("refuses %s", async (query, detail) => {
    const { status, text } = await (await api()).ask(`/v1/runs?${query}`);
    expect(status).toBe(400);
    expect(text).toMatch(detail);
  });
});

describe("a run", () => {
  it("has its attempts, each with its Jobs and its first failure", async () => {
    const { body } = await (await api()).ask(TRAIN);
    expect(body).toMatchObject({
      kind: "JobSet",
      uid: "train-uid",
      verdict: { state: "Complete", final: true },
      attempts: [
        { number: 0, state: "Failed", firstFailure: { job: "train-worker-1", exitCode: 3 } },
        { number: 1, state: "Complete", jobs: [{ state: "Complete" }, { state: "Complete" }] },
      ],
      jobs: { total: 4, complete: 2, failed: 1, deleted: 1 },
    });
  });

  it("in a queue says since when it waits", async () => {
    const { body } = await (await api()).ask("/v1/clusters/east/namespaces/ml/runs/jobset/next");
    expect(body).toMatchObject({
      verdict: { state: "Queued" },
      queue: { name: "main", waits: [{ reason: "Pending" }] },
    });
  });

  it("of another system is never final", async () => {
    const { body } = await (await api()).ask("/v1/clusters/east/namespaces/data/runs/DagsterRun/5f1a");
    expect(body).toMatchObject({ verdict: { state: "Complete", final: false, basis: "observed" }, jobs: { total: 1 } });
  });

  it("has a percent-encoded name in the path, which may be an id of another system", async () => {
    const name = `a=b/c+d:e?${"x".repeat(300)}`;
    const { ask } = apiOver(await storesWithFacts(jobOfWork("odd", { marks: { "dagster/run-id": name } })));
    const path = `/v1/clusters/east/namespaces/data/runs/dagsterrun/${encodeURIComponent(name)}`;
    expect(await ask(path)).toMatchObject({ status: 200, body: { name } });
    expect(await ask(`${path}/jobs`)).toMatchObject({ status: 200, body: { items: [{ name: "odd" }] } });
  });

  it("has a list of its Jobs, with pages", async () => {
    const { ask } = await api();
    const first = (await ask(`${TRAIN}/jobs?limit=3`)).body as Page<JobAnswer>;
    const second = (await ask(`${TRAIN}/jobs?limit=3&cursor=${first.nextCursor}`)).body as Page<JobAnswer>;
    const uids = [...first.items, ...second.items].map(({ uid }) => uid);
    expect(uids).toEqual(["train-worker-0-0", "train-worker-1-0", "train-worker-0-1", "train-worker-1-1"]);
    expect(second.nextCursor).toBeUndefined();
  });

  it("has a history", async () => {
    const { items } = (await (await api()).ask(`${TRAIN}/history`)).body as Page<{ kind: string; object: string }>;
    expect(items.map(({ kind, object }) => `${kind} ${object}`)).toContain("Restarted jobset/train");
    expect(items.at(-1)).toMatchObject({ kind: "Condition", detail: "Completed True (AllJobsCompleted)" });
  });

  it("can be waited for", async () => {
    const { ask } = await api();
    expect((await ask(`${TRAIN}/wait?for=complete`)).body).toMatchObject({ outcome: "met", run: { name: "train" } });
    expect((await ask(`${TRAIN}/wait?for=failed`)).body).toMatchObject({ outcome: "endedOtherwise" });
    const queued = "/v1/clusters/east/namespaces/ml/runs/jobset/next/wait?timeoutSeconds=1";
    expect((await ask(queued)).body).toMatchObject({ outcome: "timedOut" });
  });

  it.each([
    ["runs/jobset/trains", 404, /Did you mean JobSet\/train\?/],
    ["runs/rayjob/train", 404, /Did you mean JobSet\/train\?/],
    ["runs/jobset/train?uid=none", 404, /with uid "none"/],
    ["runs/jobset/trains/wait?timeoutSeconds=0", 404, /not found/],
    ["runs/jobset/trains/jobs", 404, /not found/],
    ["runs/jobset/trains/history", 404, /not found/],
  ])("%s is unknown", async (path, status, detail) => {
    const answer = await (await api()).ask(`/v1/clusters/east/namespaces/ml/${path}`);
    expect(answer.status).toBe(status);
    expect(answer.text.replaceAll("\\", "")).toMatch(detail);
  });

  it("of an unknown cluster names the known ones", async () => {
    const { status, text } = await (await api()).ask("/v1/clusters/west/namespaces/ml/runs/jobset/train");
    expect([status, text]).toEqual([404, expect.stringMatching(/Known clusters: east/)]);
  });
});

describe("a Job of another namespace that claims a run", () => {
  it("does not belong to it", async () => {
    const forged = restartedJobSet({ namespace: "theirs" }).filter((fact) => "jobUid" in fact);
    const others = forged.map((fact) => ({ ...fact, jobUid: `forged-${"jobUid" in fact ? fact.jobUid : ""}` }) as Fact);
    const { ask } = apiOver(await storesWithFacts([...restartedJobSet(), ...others]));
    expect((await ask(TRAIN)).body).toMatchObject({ jobs: { total: 4 } });
    expect(((await ask(`${TRAIN}/jobs`)).body as Page<JobAnswer>).items).toHaveLength(4);
  });
});

const listed = (body: unknown) => (body as Page<JobAnswer>).items.map(({ uid }) => uid);

describe("Jobs of a run", () => {
  it("are those of the newest one in the namespace, also in a summary", async () => {
    const again = restartedJobSet({ uid: "again" }).map((fact): Fact => {
      const createdAt = "createdAt" in fact ? { createdAt: fact.createdAt + 600_000 } : {};
      return "jobUid" in fact
        ? ({ ...fact, ...createdAt, jobUid: `2-${fact.jobUid}` } as Fact)
        : { ...fact, ...createdAt };
    });
    const other = restartedJobSet({ namespace: "theirs", uid: "other" }).flatMap((fact): Fact[] =>
      "jobUid" in fact ? [{ ...fact, jobUid: `3-${fact.jobUid}` } as Fact] : [fact],
    );
    const { ask } = apiOver(await storesWithFacts([...restartedJobSet(), ...again, ...other]));
    const inMl = listed((await ask("/v1/jobs?run=jobset/train&namespace=ml")).body);
    expect(inMl).toHaveLength(4);
    expect(inMl.every((uid) => uid.startsWith("2-"))).toBe(true);
    expect((await ask("/v1/summary?run=jobset/train&namespace=ml")).body).toMatchObject({ jobs: 4 });
    expect(listed((await ask("/v1/jobs?run=jobset/train")).body)).toHaveLength(12);
  });

  it.each(["dagsterrun/5f1a&namespace=data", "dagsterrun/5f1a"])("without an object are listed by %s", async (run) => {
    expect(listed((await (await api()).ask(`/v1/jobs?run=${run}`)).body)).toEqual(["dagster-run-5f1a"]);
  });

  it.each(["dagsterrun/other", "dagrun/5f1a", "dagsterrun/5f1a&namespace=ml"])("are none for %s", async (run) => {
    expect(listed((await (await api()).ask(`/v1/jobs?run=${run}`)).body)).toEqual([]);
  });

  it("of a kind of one's own are listed in its namespace", async () => {
    const marks = {
      [ADDED_KINDS_MARK]: JSON.stringify([{ kind: "Sweep", ids: { "acme/sweep": "s-1" }, work: "s-1" }]),
    };
    const { ask } = apiOver(await storesWithFacts(jobOfWork("sweep", { marks })));
    expect(listed((await ask("/v1/jobs?run=sweep/s-1&namespace=data")).body)).toEqual(["sweep"]);
  });

  it.each(["jobset/train", "JobSet/train", "train", "train-uid"])("are listed by %s", async (run) => {
    const { ask } = await api();
    const { items } = (await ask(`/v1/jobs?run=${encodeURIComponent(run)}`)).body as Page<JobAnswer>;
    expect(items).toHaveLength(4);
  });
});
