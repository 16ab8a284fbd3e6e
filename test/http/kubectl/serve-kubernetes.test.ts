import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { createApi } from "../../../src/http/create-api.ts";
import RECORDED from "./kubectl-requests.json" with { type: "json" };
import { rethrow } from "../../support/running/rethrow.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";

/** Some hours after the recording. */
const NOW = Date.parse("2026-11-21T15:40:00Z");
const RECORDING = ["ndjson.gz", "audit.ndjson.gz"].map(
  (ending) => new URL(`../../../examples/pod-gc-ate-success.${ending}`, import.meta.url).pathname,
);
const JOB = "/apis/batch/v1/namespaces/pod-gc-ate-success/jobs/render-0018";

/** An object, a list or a table: what is read of it here by name. */
const EVENTS =
  "/api/v1/namespaces/pod-gc-ate-success/events" +
  "?fieldSelector=involvedObject.kind%3DJob,involvedObject.name%3Drender-0018";

interface KubeAnswer {
  readonly metadata: { readonly name: string; readonly continue?: string };
  readonly items: readonly KubeAnswer[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
  readonly [field: string]: unknown;
}

let embedded: Embedded;
beforeAll(async () => {
  embedded = openEmbedded(":memory:");
  await importRecordings(embedded, { clusterName: "incident", files: RECORDING });
}, 60_000);
afterAll(() => embedded.close());

/** The API, whose clock advances only during waits. */
function api() {
  let now = NOW;
  const pause = async (milliseconds: number): Promise<boolean> => {
    now += milliseconds;
    return true;
  };
  return createApi({
    ...API_PARTS,
    stores: embedded,
    access: { kind: "inProcess" },
    now: () => now,
    pause,
    version: "0",
    onError: rethrow,
  });
}

async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; body: KubeAnswer }> {
  const response = await api().request(path, init);
  return { status: response.status, body: (await response.json()) as KubeAnswer };
}

/** The names of what a list holds, page by page. */
async function namesOnAllPages(path: string): Promise<readonly string[]> {
  const names: string[] = [];
  let token = "";
  do {
    const { items, metadata } = (await ask(`${path}&continue=${token}`)).body;
    names.push(...items.map((item) => item.metadata.name));
    token = metadata.continue ?? "";
  } while (token !== "");
  return names;
}

describe("recorded requests of kubectl 1.36", () => {
  it.each(RECORDED.flatMap(({ command, requests }) => requests.map((request) => [command, request] as const)))(
    "%s: %o",
    async (_, { method, path, accept, status }) => {
      const response = await api().request(path, { method, headers: { accept } });
      const lines = (await response.text()).trim().split("\n");
      expect(response.status).toBe(status);
      for (const line of lines) if (line !== "") expect(JSON.parse(line)).toBeTypeOf("object");
      if (status >= 400) expect(JSON.parse(lines.join(""))).toMatchObject({ kind: "Status", code: status });
    },
  );
});

const TABLE = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" } };

describe("a Job requested by kubectl", () => {
  it("has its conditions and counts by all facts, and what was reported beside them", async () => {
    expect((await ask(JOB)).body).toMatchObject({
      kind: "Job",
      apiVersion: "batch/v1",
      metadata: {
        annotations: {
          "outlive/verdict": "Complete (CompletionsReached), final, both",
          "outlive/reported-status": expect.stringContaining('"succeeded":1') as string,
          "outlive/findings": expect.stringMatching(/^ReRunAfterSuccess: 8 needless re-runs/) as string,
        },
      },
      status: { succeeded: 9, conditions: [{ type: "Complete", status: "True" }] },
    });
  });

  it("is a row of a table", async () => {
    const { body } = await ask(JOB, TABLE);
    const [row] = body.rows;
    const shown = ["render-0018", "Complete", "9/1", "5m7s", "7h1m", "<none>", "ReRunAfterSuccess", "<none>"];
    expect(row?.cells.slice(0, shown.length)).toEqual(shown);
  });

  it.each([
    ["limit", `?limit=3`, 3],
    ["a label", "?labelSelector=app%3Drender,nothing", 0],
    ["a field", "?fieldSelector=status.successful%3D9", 1],
    ["a name", "?fieldSelector=metadata.name%3Drender-0018", 1],
  ])("is found by %s", async (_, query, count) => {
    const { body } = await ask(`/apis/batch/v1/jobs${query}`);
    expect(body.items).toHaveLength(count);
  });

  it("is on one page of the list and on no other", async () => {
    const names = await namesOnAllPages("/apis/batch/v1/jobs?limit=100");
    expect(names).toHaveLength(308);
    expect(new Set(names).size).toBe(308);
  });
});

describe("Pods requested by kubectl", () => {
  it("are all there though none exists any more, each once", async () => {
    const names = await namesOnAllPages("/api/v1/pods?limit=70");
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith("render-0018-"))).toHaveLength(9);
  });

  it("say that they were deleted, and by whom", async () => {
    const { body } = await ask("/api/v1/namespaces/pod-gc-ate-success/pods/render-0018-8vx54");
    expect(body).toMatchObject({
      kind: "Pod",
      metadata: {
        annotations: {
          "outlive/deleted-at": expect.stringMatching(/^2026-11-21T/) as string,
          "outlive/deleted-by": expect.stringContaining("pod-garbage-collector (certain)") as string,
        },
        ownerReferences: [{ kind: "Job", name: "render-0018", controller: true }],
      },
      status: { phase: "Succeeded" },
    });
  });
});

interface NamedList {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace: string } }[];
  readonly metadata: { readonly continue?: string };
}
const PODS = "/api/v1/namespaces/pod-gc-ate-success/pods";

async function list(path: string): Promise<NamedList> {
  return (await ask(path)).body as unknown as NamedList;
}

describe("a list without a limit, as most clients ask for one", () => {
  it.each([
    ["Jobs", "/apis/batch/v1/jobs", 308],
    ["Pods", "/api/v1/pods", 767],
  ])("has all %s, and no token that no search finds", async (_, path, count) => {
    const { items, metadata } = await list(path);
    expect(items).toHaveLength(count);
    expect(metadata.continue).toBeUndefined();
  });
});

describe("a field selector", () => {
  it.each([
    ["of a phase", `${PODS}?fieldSelector=status.phase%3DSucceeded`, 767],
    ["of every other phase", `${PODS}?fieldSelector=status.phase!%3DSucceeded`, 0],
    ["of a node", `${PODS}?fieldSelector=spec.nodeName%3Dnowhere`, 0],
    ["of a Pod's name", "/api/v1/pods?fieldSelector=metadata.name%3Drender-0018-8vx54", 1],
    [
      "of a Pod's name, and of a phase it does not have",
      `${PODS}?fieldSelector=metadata.name%3Drender-0018-8vx54,status.phase%3DFailed`,
      0,
    ],
    ["of a namespace's name", "/api/v1/namespaces?fieldSelector=metadata.name%3Dnowhere", 0],
    ["of a CronJob's name", "/apis/batch/v1/cronjobs?fieldSelector=metadata.name!%3Da", 0],
    ["of an Event's type", `${EVENTS},type%3DWarning`, 0],
    ["of an Event's reason", `${EVENTS},reason%3DJobCreated`, 1],
  ])("%s is obeyed", async (_, path, count) => {
    expect((await list(path)).items).toHaveLength(count);
  });
});

describe("the selector that a Job has", () => {
  it("finds the Job's Pods on the first page: kubectl logs looks at no other", async () => {
    const job = (await ask(JOB)).body as unknown as {
      readonly spec: { readonly selector: { readonly matchLabels: Readonly<Record<string, string>> } };
    };
    const [[key, value] = ["", ""]] = Object.entries(job.spec.selector.matchLabels);
    expect((await list(`${PODS}?limit=500&labelSelector=${encodeURIComponent(`${key}=${value}`)}`)).items).toHaveLength(
      9,
    );
  });
});

describe("the Events of a Pod, as kubectl describe pod asks for them", () => {
  it("are listed although the request names no kind", async () => {
    const name = "render-0018-8vx54";
    const { body } = await ask(
      `/api/v1/namespaces/pod-gc-ate-success/events?fieldSelector=involvedObject.name%3D${name}`,
    );
    const reasons = body.items.map(({ reason }) => reason);
    expect(reasons).toContain("PodCreated");
    expect(reasons.at(-1)).toBe("PodDeleted");
  });

  it("are found by their names", async () => {
    const { items } = await list(EVENTS);
    const names = items.map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(names.length);
    const { body } = await ask(`/api/v1/namespaces/pod-gc-ate-success/events/${names[0]}`);
    expect(body).toMatchObject({ kind: "Event", metadata: { name: names[0] } });
  });
});

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly patch?: { readonly parameters: readonly { name: string }[] } }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, Described>> }>>;
  };
}
interface Described {
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Fields that facts do not keep are empty, or have the values that kubectl relies on. */
const PLACES: ReadonlySet<string> = new Set(["selector", "template", "containers", "containerStatuses"]);

async function openClient(path: string): Promise<OpenApi> {
  return (await ask(`/openapi/v3/${path}`)).body as unknown as OpenApi;
}

describe("the schemas that kubectl explain reads", () => {
  it.each([
    ["Job", "apis/batch/v1", JOB],
    ["Pod", "api/v1", `${PODS}/render-0018-8vx54`],
    ["Namespace", "api/v1", "/api/v1/namespaces/pod-gc-ate-success"],
  ])("describe every field that a %s has here", async (kind, document, path) => {
    const { properties } = (await openClient(document)).components.schemas[kind] ?? { properties: {} };
    const shown = (await ask(path)).body as Readonly<Record<string, object>>;
    for (const part of ["spec", "status"].filter((name) => name in shown)) {
      const known = Object.keys(properties[part]?.properties ?? {});
      const given = Object.keys(shown[part] ?? {}).filter((field) => !PLACES.has(field));
      expect(known).toEqual(expect.arrayContaining(given));
    }
  });

  it("are in the documents that the index names", async () => {
    const { paths } = (await ask("/openapi/v3")).body as unknown as OpenApi;
    expect(Object.keys(paths)).toEqual([
      "api/v1",
      "apis/batch/v1",
      "apis/jobset.x-k8s.io/v1alpha2",
      "apis/trainer.kubeflow.org/v1alpha1",
      "apis/ray.io/v1",
      "apis/argoproj.io/v1alpha1",
    ]);
    expect(Object.keys((await openClient("api/v1")).components.schemas)).toEqual(["Pod", "Event", "Namespace"]);
  });

  it("offer server-side field validation, so that kubectl apply prints that the server is read-only", async () => {
    const { paths } = await openClient("apis/batch/v1");
    expect(paths["/apis/batch/v1/namespaces/{namespace}/jobs/{name}"]?.patch?.parameters).toMatchObject([
      { name: "fieldValidation" },
    ]);
  });
});

describe("an invalid kubectl request", () => {
  it.each<[string, string, string, number, RegExp]>([
    ["a write", "POST", "/apis/batch/v1/namespaces/a/jobs", 405, /read-only/],
    ["a patch", "PATCH", JOB, 405, /read-only/],
    ["an unknown resource", "GET", "/apis/apps/v1/deployments", 404, /not found: Outlive serves/],
    ["another version", "GET", "/apis/batch/v1beta1/cronjobs", 404, /not found: Outlive serves/],
    [
      "another version of runs",
      "GET",
      "/apis/jobset.x-k8s.io/v1/jobsets",
      404,
      /jobsets \(jobset.x-k8s.io\/v1alpha2\)/,
    ],
    ["an unknown name", "GET", `${JOB}x`, 404, /jobs\.batch "render-0018x" not found: did you mean/],
    ["an unknown Pod", "GET", "/api/v1/namespaces/a/pods/b", 404, /pods "b" not found/],
    ["an unknown cluster", "GET", "/clusters/west/apis/batch/v1/jobs", 404, /incident/],
    ["an incomplete selector", "GET", "/apis/batch/v1/jobs?labelSelector=a%20in%20(b", 400, />>>/],
    ["an unknown field", "GET", "/apis/batch/v1/jobs?fieldSelector=spec.x%3D1", 400, /not a field/],
    ["a list of all events", "GET", "/api/v1/events", 400, /--for job/],
    ["a token of another list", "GET", "/apis/batch/v1/jobs?continue=abc", 410, /begin again/],
    ["an invalid token", "GET", "/api/v1/pods?continue=abc", 410, /Invalid (resourceVersion|continue token)/],
    [
      "an invalid version",
      "GET",
      "/apis/batch/v1/jobs?watch=1&resourceVersion=abc",
      400,
      /Invalid (resourceVersion|continue token)/,
    ],
    [
      "a version before the log",
      "GET",
      "/apis/batch/v1/jobs?watch=1&resourceVersion=1",
      410,
      /too old resource version/,
    ],
    [
      "a version in the future",
      "GET",
      "/apis/batch/v1/jobs?watch=1&resourceVersion=9999999999999",
      410,
      /in the future/,
    ],
    ["a watch of all events", "GET", "/api/v1/events?watch=1", 400, /--for job/],
    ["a field of Pods that no fact keeps", "GET", "/api/v1/pods?fieldSelector=status.podIP%3D1", 400, /spec\.nodeName/],
    ["an unknown field of CronJobs", "GET", "/apis/batch/v1/cronjobs?fieldSelector=a%3D1", 400, /not a field/],
    [
      "a limit that is not a number",
      "GET",
      "/api/v1/pods?limit=many",
      400,
      /limit: "many" is not a non-negative integer/,
    ],
    ["a Pod without a namespace", "GET", "/api/v1/pods/render-0018-8vx54", 404, /not found: Outlive serves/],
    ["a name of 1.5 kB", "GET", `/apis/batch/v1/namespaces/a/jobs/${"x".repeat(1_500)}`, 404, /^.{1000}\.\.\.$/],
    ["an unknown schema", "GET", "/openapi/v3/apis/apps/v1", 404, /not found: Outlive serves/],
    ["container logs", "GET", "/api/v1/namespaces/a/pods/b/log?container=c", 404, /does not store container logs/],
  ])("for %s is answered with a Status that says why", async (_, method, path, code, message) => {
    const { status, body } = await ask(path, { method });
    expect(status).toBe(code);
    expect(body).toMatchObject({
      kind: "Status",
      status: "Failure",
      code,
      message: expect.stringMatching(message) as string,
    });
  });

  it("without a cluster lists the clusters if there are several", async () => {
    await embedded.meta.write("cluster", "west", { value: "{}", expected: 0 });
    expect((await ask("/apis/batch/v1/jobs")).body).toMatchObject({
      message: expect.stringContaining("several clusters (incident, west)") as string,
    });
    expect((await ask(`/clusters/incident${JOB}`)).body).toMatchObject({ kind: "Job" });
  });
});
