import { beforeEach, describe, expect, it } from "vitest";
import { createApi } from "../../src/http/create-api.ts";
import type { ApiDependencies } from "../../src/http/api-server.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import { wrappedObjects } from "../../src/ports/objects/wrapped-objects.ts";
import { tokenGrant } from "../../src/http/access/token-access.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../support/archive/archive-scene.ts";
import { PackedScene } from "../support/archive/packed-scene.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryPackedLog } from "../support/stores/memory-packs.ts";
import { storesOver } from "../support/stores/stores-with-facts.ts";
import { API_PARTS } from "../../src/host/optional/api-parts.ts";

const JOB = "/v1/clusters/east/namespaces/shop/jobs/report";
const TOKEN = "reader-of-one-namespace";
let scene: PackedScene;
/** What was read of the archive. */
let reads: string[];

beforeEach(async () => {
  scene = new PackedScene();
  reads = [];
  await scene.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
  await scene.archive(EIGHT + 2 * HOUR);
});

function counted(): ObjectStore {
  const { store } = scene;
  return wrappedObjects(store, {
    read: (key, range) => {
      reads.push(key);
      return store.read(key, range);
    },
    list: (prefix) => {
      reads.push(prefix);
      return store.list(prefix);
    },
  });
}

interface Expired {
  /** @default the state of the Job is there */
  readonly state?: boolean;
  /** @default the log has its segments */
  readonly log?: boolean;
}

async function ask(path: string, expired: Expired, options: Partial<ApiDependencies> = {}) {
  const jobs = expired.state === true ? new MemoryJobStore() : scene.ports.jobs;
  const log = expired.log === true ? new MemoryPackedLog() : scene.ports.log;
  const api = createApi({
    ...API_PARTS,
    stores: { ...storesOver({ ...scene.ports, jobs, log }), archive: counted() },
    access: { kind: "inProcess" },
    now: () => EIGHT + 3 * HOUR,
    version: "0.0.0",
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  const response = await api.request(path, { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await response.text();
  return { status: response.status, warning: response.headers.get("warning"), text };
}

describe("the history of a Job whose facts are no longer in the log", () => {
  it("is the same, and says that it is from the archive", async () => {
    const before = await ask(`${JOB}/history`, {});
    expect(before).toMatchObject({ status: 200, warning: null });
    expect(reads).toEqual([]);
    const after = await ask(`${JOB}/history`, { log: true });
    expect(after.text).toBe(before.text);
    expect(after.warning).toContain("no longer in the log");
  });
});

describe("an answer that needs more of the archive than a request may read", () => {
  it("is refused with what to do", async () => {
    const archiveBudget = { requests: 1, bytes: 1_000_000, millis: 10_000 };
    const { status, text } = await ask(JOB, { state: true }, { archiveBudget });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      type: "urn:outlive:problem:archive-too-large",
      detail: expect.stringContaining("outlive archive import") as string,
    });
  });

  it("has the same budget in each request", async () => {
    const archiveBudget = { requests: 10, bytes: 1_000_000, millis: 10_000 };
    expect((await ask(JOB, { state: true }, { archiveBudget })).status).toBe(200);
  });
});

describe("a reader of another namespace", () => {
  it.each([JOB, `${JOB}/why`, `${JOB}/pods`, `${JOB}/history`, `${JOB}?uid=report`])(
    "learns nothing of an archived Job, and nothing is read: %s",
    async (path) => {
      const scope = { grants: [{ cluster: clusterNamed("east"), namespaces: ["bank"] }] };
      const scoped = { kind: "bearer", tokens: [tokenGrant(TOKEN, scope)] } as const;
      const unknown = await ask(path.replace("report", "none"), { state: true }, { access: scoped });
      const archived = await ask(path, { state: true }, { access: scoped });
      expect(archived.status).toBe(404);
      expect(archived.text).toBe(unknown.text.replaceAll("none", "report"));
      expect(reads).toEqual([]);
    },
  );
});
