import { describe, expect, it } from "vitest";
import type { JobStore } from "../../../src/ports/jobs.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { listRunJobs } from "../../../src/query/runs/run-jobs.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { queuedJobSet, restartedJobSet, second } from "../../support/story/run-story.ts";

const wanted = { cluster: clusterOf("east"), namespace: "ml", kind: "jobset", name: "train" };
const ONCE = { limit: 10, now: second(120) };
const UIDS = ["train-worker-0-0", "train-worker-1-0", "train-worker-0-1", "train-worker-1-1"];

const open = () => runPortsWith([...restartedJobSet(), ...queuedJobSet()]);

describe("the Jobs of a run", () => {
  it("are those of all attempts, by creation", async () => {
    const page = await listRunJobs(await open(), { scope: "everything", wanted }, ONCE);
    expect(page.outcome === "listed" && page.items.map(({ uid }) => uid)).toEqual(UIDS);
  });

  it("are read for their page only", async () => {
    const ports = await open();
    const read: string[] = [];
    const jobs = new Proxy<JobStore>(ports.jobs, {
      get: (store, name) => {
        if (name !== "read") return Reflect.get(store, name) as unknown;
        return async (key: Parameters<JobStore["read"]>[0]) => {
          read.push(key.jobUid);
          return store.read(key);
        };
      },
    });
    const page = await listRunJobs({ ...ports, jobs }, { scope: "everything", wanted }, { ...ONCE, limit: 3 });
    expect(read).toEqual(UIDS.slice(0, 3));
    expect(page.outcome === "listed" && page.nextCursor).toBeTypeOf("string");
  });

  it("are none for a run without Jobs", async () => {
    const run = { scope: "everything", wanted: { ...wanted, name: "next" } } as const;
    expect(await listRunJobs(await open(), run, ONCE)).toEqual({ outcome: "listed", items: [] });
  });

  it("are not those of a run that the reader may not see", async () => {
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["data"] }] };
    expect(await listRunJobs(await open(), { scope, wanted }, ONCE)).toEqual({ outcome: "unknownRun", near: [] });
  });

  it("refuse the cursor of another run", async () => {
    const ports = await runPortsWith([...restartedJobSet(), ...restartedJobSet({ name: "other" })]);
    const first = await listRunJobs(ports, { scope: "everything", wanted }, { ...ONCE, limit: 1 });
    const cursor = first.outcome === "listed" ? first.nextCursor : undefined;
    expect(cursor).toBeDefined();
    const other = { scope: "everything", wanted: { ...wanted, name: "other" } } as const;
    expect((await listRunJobs(ports, other, { ...ONCE, cursor })).outcome).toBe("badCursor");
  });
});
