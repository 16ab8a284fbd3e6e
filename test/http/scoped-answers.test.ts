import { archiveLog } from "../../src/archive/write/archive-log.ts";
import { MemoryObjects } from "../support/stores/memory-objects.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { ApiStores } from "../../src/http/create-api.ts";
import { ROUTES } from "../../src/http/routes/routes.ts";
import { tokenGrant } from "../../src/http/access/token-access.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import type { Scope } from "../../src/query/access/scope.ts";
import { apiOver } from "../support/http/request-api.ts";
import { withMetrics } from "../support/stores/metered-tracker.ts";
import { dagsterJob, restartedJobSet } from "../support/story/run-story.ts";
import { Story } from "../support/story/story.ts";
import { emptyStores, tell } from "../support/stores/stores-with-facts.ts";
import { API_PARTS } from "../../src/host/optional/api-parts.ts";

const JOBS = "/v1/clusters/east/namespaces";
/**
 * Every query about one Job, made for Jobs inside and outside of the scope, for unknown ones, and for similar names.
 */
const PLACES = [
  `${JOBS}/mine/jobs/report`,
  `${JOBS}/mine/jobs/rotten`,
  `${JOBS}/theirs/jobs/secret`,
  `${JOBS}/theirs/jobs/nothing`,
  `${JOBS}/theirs/jobs/report`,
  `${JOBS}/nowhere/jobs/secret`,
  // The name is in use next door: "elsewhere" must not tell.
  `${JOBS}/mine/jobs/secret`,
  `${JOBS}/mine/jobs/secre`,
  `${JOBS}/mine/jobs/repor`,
  // Their uid under our name, and under theirs.
  `${JOBS}/mine/jobs/report?uid=secret`,
  `${JOBS}/theirs/jobs/secret?uid=secret`,
  "/v1/clusters/west/namespaces/mine/jobs/hidden",
  "/v1/clusters/west/namespaces/mine/jobs/report",
  "/v1/clusters/nowhere/namespaces/mine/jobs/report",
];
const FILTERS = [
  "",
  "?namespace=theirs",
  "?namespace=mine",
  "?cluster=west",
  "?cluster=nowhere",
  "?name=secret",
  "?name=hidden",
  "?owner=CronJob/payroll",
  "?owner=secret-cron",
  "?labelSelector=team%3Dtheirs",
  "?state=Failed",
  "?attention=true",
  "?attention=true&cluster=west",
  "?attention=true&namespace=theirs",
  "?createdBefore=2026-01-01T12:00:00Z",
  "?fieldSelector=metadata.name%3Dsecret",
];
const OPEN_ENDED = [
  ...FILTERS,
  "?sort=createdAt",
  "?sort=-duration",
  "?limit=1",
  "?limit=1&attention=true",
  "?limit=2&state=Failed",
];

/** The same for runs. */
const RUN_PLACES = [
  `${JOBS}/mine/runs/jobset/ours`,
  `${JOBS}/theirs/runs/jobset/secret-set`,
  `${JOBS}/theirs/runs/jobset/nothing`,
  `${JOBS}/mine/runs/jobset/secret-set`,
  `${JOBS}/mine/runs/jobset/secret-se`,
  "/v1/clusters/west/namespaces/mine/runs/jobset/hidden-set",
];

/** By `operationId`: what to ask. A route that is not here fails the suite. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  listJobs: OPEN_ENDED.map((filter) => `/v1/jobs${filter}`),
  batchGetJobs: [
    "/v1/clusters/east/jobs/batch?uid=secret,report",
    "/v1/clusters/east/jobs/batch?uid=nothing,report",
    "/v1/clusters/east/jobs/batch?job=theirs/secret,mine/report,mine/secret",
    "/v1/clusters/west/jobs/batch?uid=hidden",
    "/v1/clusters/west/jobs/batch?job=mine/hidden",
  ],
  getJob: [...PLACES, ...PLACES.slice(0, 4).map((place) => `${place}?asOf=2026-01-01T00:00:05Z`)],
  listPods: PLACES.map((place) => partOf(place, "pods")),
  listHistory: PLACES.map((place) => partOf(place, "history")),
  explainJob: PLACES.map((place) => partOf(place, "why")),
  compareJobs: PLACES.flatMap((place) => {
    const path = partOf(place, "compare");
    return [path, `${path}${path.includes("?") ? "&" : "?"}with=secret`];
  }),
  exportEvidence: PLACES.map((place) => partOf(place, "evidence")),
  listIndexes: PLACES.map((place) => partOf(place, "indexes")),
  waitForJob: PLACES.map((place) => partOf(place, "wait")).map(
    (path) => `${path}${path.includes("?") ? "&" : "?"}timeoutSeconds=1`,
  ),
  listRuns: [
    "",
    "?namespace=theirs",
    "?namespace=mine",
    "?cluster=west",
    "?name=secret-set",
    "?kind=jobset",
    "?limit=1",
    "?state=Complete",
    "?createdAfter=2025-01-01T00:00:00Z",
    "?externalId=dagster/run-id%3Dhidden-run",
  ].map((filter) => `/v1/runs${filter}`),
  getRun: RUN_PLACES,
  compareRuns: RUN_PLACES.flatMap((place) => {
    const path = partOf(place, "compare");
    return [path, `${path}?with=secret-set`, `${path}?with=secret-set-uid`];
  }),
  explainRun: RUN_PLACES.map((place) => partOf(place, "why")),
  listRunJobs: RUN_PLACES.map((place) => partOf(place, "jobs")),
  listRunHistory: RUN_PLACES.map((place) => partOf(place, "history")),
  waitForRun: RUN_PLACES.map((place) => `${partOf(place, "wait")}?timeoutSeconds=1`),
  listClusters: ["/v1/clusters"],
  listGaps: ["/v1/gaps", "/v1/gaps?cluster=east", "/v1/gaps?cluster=west", "/v1/gaps?limit=1"],
  listCronJobs: ["", "?cluster=east", "?cluster=west", "?namespace=theirs", "?limit=1"].map(
    (filter) => `/v1/cronjobs${filter}`,
  ),
  listCronJobRuns: ["theirs/cronjobs/payroll", "mine/cronjobs/payroll", "theirs/cronjobs/nothing"].map(
    (name) => `${JOBS}/${name}/runs?since=2025-12-31T00:00:00Z`,
  ),
  listChanges: FILTERS.map((filter) => `/v1/changes${filter || "?limit=500"}&since=2026-01-01T00:00:00Z`),
  getMetrics: ["/v1/metrics"],
  scrapeMetrics: ["/metrics"],
  listAttention: ["", "&namespace=theirs", "&namespace=mine", "&cluster=west", "&labelSelector=team%3Dtheirs"].map(
    (filter) => `/v1/attention?since=2025-01-01T00:00:00Z${filter}`,
  ),
  summariseJobs: FILTERS.map((filter) => `/v1/summary${filter}`),
  listFailingNodes: ["", "&namespace=theirs", "&namespace=mine", "&cluster=west", "&owner=CronJob/payroll"].map(
    (filter) => `/v1/nodes?since=2025-01-01T00:00:00Z${filter}`,
  ),
  reportUsage: ["cluster", "namespace", "series", "run", "category", "node", "hour", "label=team"].map(
    (by) => `/v1/usage?by=${by}&since=2025-01-01T00:00:00Z`,
  ),
};

/** The same stores in Kubernetes' own shape, which are no routes of the document. */
const KUBE_QUESTIONS = ["", "/clusters/east", "/clusters/west", "/clusters/none"].flatMap((cluster) =>
  [
    "/api/v1/namespaces",
    "/api/v1/namespaces/theirs",
    "/api/v1/pods",
    "/api/v1/pods?limit=1",
    "/api/v1/namespaces/theirs/pods",
    "/api/v1/namespaces/theirs/pods/secret-a",
    "/api/v1/namespaces/mine/pods/secret-a",
    "/api/v1/namespaces/theirs/events?fieldSelector=involvedObject.kind%3DJob,involvedObject.name%3Dsecret",
    "/api/v1/events?fieldSelector=involvedObject.namespace%3Dtheirs,involvedObject.name%3Dsecret",
    "/apis/batch/v1/jobs",
    "/apis/batch/v1/jobs?limit=1",
    "/apis/batch/v1/jobs?fieldSelector=metadata.namespace%3Dtheirs",
    "/apis/batch/v1/jobs?labelSelector=team%3Dtheirs",
    "/apis/batch/v1/jobs?watch=true&resourceVersion=1767225600000&timeoutSeconds=1",
    "/api/v1/pods?watch=true&resourceVersion=1767225600000&timeoutSeconds=1",
    "/apis/batch/v1/namespaces/theirs/jobs",
    "/apis/batch/v1/namespaces/theirs/jobs/secret",
    "/apis/batch/v1/namespaces/theirs/jobs/nothing",
    "/apis/batch/v1/namespaces/mine/jobs/secre",
    "/apis/batch/v1/cronjobs",
    "/apis/batch/v1/namespaces/theirs/cronjobs/payroll",
  ].map((path) => `${cluster}${path}`),
);
const ALL_QUESTIONS = [...Object.values(QUESTIONS).flat(), ...KUBE_QUESTIONS];

function partOf(place: string, part: string): string {
  return place.replace(/(\?.*)?$/, `/${part}$1`);
}

/** What the reader may see. */
async function ours(stores: ApiStores): Promise<void> {
  const report = new Story("report", "2026-01-01T02:00:00Z");
  report.jobCreated({ completions: 2, completionMode: "Indexed" }, inNamespace("mine"));
  report.jobTracked();
  report.podSucceeds("a", 5, { index: 0, tracked: true, ...inNamespace("mine") });
  report.podCreated("b", { index: 1, ...inNamespace("mine") });
  report.podStarted("b", "node-ours");
  const failed = new Story("rotten", "2026-01-01T03:00:00Z");
  // The author of a Job writes its owner: this one claims a CronJob next door.
  failed.jobCreated(
    { backoffLimit: 0 },
    { ...inNamespace("mine"), owner: { kind: "CronJob", name: "payroll", uid: "secret-cron" } },
  );
  failed.jobTracked();
  failed.podCreated("a", inNamespace("mine"));
  failed.podTracked("a");
  failed.podStarted("a");
  failed.after(5);
  failed.containerEnded("a", 3, 5);
  failed.podTerminated("a", "Failed", { tracked: true });
  failed.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1, startTime: failed.second(0) });
  failed.jobDeleted();
  await tell(stores, [...report.facts, ...failed.facts]);
  await tell(stores, restartedJobSet({ name: "ours", namespace: "mine" }));
}

/** What they may not: another namespace of the same cluster, and another cluster. */
async function theirs(stores: ApiStores): Promise<void> {
  await tell(stores, secretJob("secret", "theirs"));
  await tell(stores, secretJob("secret-2", "theirs"));
  await tell(stores, secretJob("hidden", "mine"), { cluster: "west" });
  await tell(stores, restartedJobSet({ name: "secret-set", namespace: "theirs" }));
  await tell(stores, dagsterJob("hidden-run", "theirs"));
  await tell(stores, restartedJobSet({ name: "hidden-set", namespace: "mine" }), { cluster: "west" });
  // Who may make Pods there names our Job as their owner, and would complete it.
  const forged = new Story("report", "2026-01-01T01:30:00Z");
  forged.podSucceeds("forged", 5, { index: 1, ...inNamespace("theirs") });
  await tell(stores, forged.facts);
  const story = new Story("around");
  story.jobCreated();
  const { epoch, resourceVersion, at } = known(story.facts[0]);
  const gap = { kind: "GapRecorded", epoch, resourceVersion, at, from: at, to: at + 1, reason: "Theirs." } as const;
  for (const gapId of ["g1", "g2"]) await tell(stores, [{ ...gap, gapId, resources: ["pods"] }], { cluster: "west" });
}

function secretJob(name: string, namespace: string): readonly Fact[] {
  const secret = new Story(name, "2026-01-01T01:00:00Z");
  const named = inNamespace(namespace);
  secret.jobCreated(
    { completions: 1 },
    { ...named, labels: { team: "theirs" }, owner: { kind: "CronJob", name: "payroll", uid: "secret-cron" } },
  );
  secret.jobUntracked();
  secret.podSucceeds("a", 5, named);
  secret.podDeleted("a");
  secret.podSucceeds("b", 5, named);
  secret.jobFinished("Failed", "DeadlineExceeded", { startTime: secret.second(0) });
  return [...secret.facts, ...aroundSecrets(secret)];
}

/** The CronJob that owns them, and who deleted it. */
function aroundSecrets(secret: Story): readonly Fact[] {
  const { epoch, resourceVersion } = known(secret.facts[0]);
  const stamp = { epoch, resourceVersion, at: secret.now };
  const target = { kind: "CronJob", namespace: "theirs", name: "payroll" } as const;
  const requested = { verb: "delete", user: "them", code: 200, requestedAt: secret.now };
  const named = { namespace: "theirs", name: "payroll", cronJobUid: "secret-cron" };
  const cronJob = { createdAt: secret.now, generation: 1, schedule: "0 0 * * *", suspend: false };
  return [
    { ...stamp, kind: "CronJobObserved", ...named, ...cronJob, concurrencyPolicy: "Replace" },
    { ...stamp, kind: "CronJobDeleted", ...named },
    { ...stamp, kind: "RequestHinted", hintId: "audit-them", target, ...requested },
  ];
}

function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("A story tells something.");
  return value;
}

function inNamespace(namespace: string) {
  return { namespace };
}

const READER: Scope = { grants: [{ cluster: "east", namespaces: ["mine"] }] };

let [alone, beside]: readonly [ApiStores, ApiStores] = [emptyStores(), emptyStores()];
beforeAll(async () => {
  const [first, second] = [emptyStores(), emptyStores()];
  await ours(first);
  await theirs(second);
  await ours(second);
  [alone, beside] = [await withArchive(await withMetrics(first)), await withArchive(await withMetrics(second))];
});

/** With an archive of the whole log. */
async function withArchive(stores: ApiStores): Promise<ApiStores> {
  const archive = new MemoryObjects();
  const live = { jobs: stores.projections.open("A"), runs: stores.projections.runs("A") };
  // Every fact arrived at noon.
  const now = Date.parse("2026-01-01T14:00:00Z");
  await archiveLog({ ...live, log: stores.log, meta: stores.meta, store: archive }, { now, newId: () => "archive-1" });
  return { ...stores, archive };
}

/** The answer to `path`, and to every page that follows it. */
async function askAll(stores: ApiStores, path: string, scope: Scope): Promise<readonly string[]> {
  const { app, errors } = apiOver(stores, { kind: "bearer", tokens: [tokenGrant("reader", scope)] });
  const texts: string[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const { status, text, body } = await textOf(app.request(next, { headers: { authorization: "Bearer reader" } }));
    const { nextCursor, items, more } = body;
    // The cursor of a stream of changes is a place in the cluster's log, which all who may see any of the cluster
    // follow together.
    texts.push(more === undefined ? `${status} ${text}` : `${status} ${JSON.stringify(items)}`);
    next = nextCursor !== undefined && more !== false ? nextPage(path, nextCursor) : undefined;
  }
  expect(errors).toEqual([]);
  return texts;
}

/** A watch answers in lines, each of them JSON, which have no page after them. */
async function textOf(response: Response | Promise<Response>) {
  const { status } = await response;
  const text = await (await response).text();
  return { status, text, body: !text.startsWith("{") || text.includes("\n") ? {} : (JSON.parse(text) as Page) };
}

interface Page {
  readonly items?: readonly unknown[];
  readonly nextCursor?: string;
  readonly more?: boolean;
}

function nextPage(path: string, nextCursor: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}cursor=${nextCursor}`;
}

describe("an answer to a reader of one namespace", () => {
  // What changes something is in routes/acknowledgement-routes.test.ts.
  it("is required by every route with authentication that reads", () => {
    expect(Object.keys(QUESTIONS).sort()).toEqual(
      [...ROUTES, ...API_PARTS.routes]
        .filter(({ open, method }) => open !== true && method === undefined)
        .map(({ operationId }) => operationId)
        .sort(),
    );
  });

  it.each(ALL_QUESTIONS)(
    "of %s is the same, byte by byte, whether there is anything beside it or not",
    async (path) => {
      expect(await askAll(beside, path, READER)).toEqual(await askAll(alone, path, READER));
    },
  );

  it.each(ALL_QUESTIONS)("of %s contains no word of other namespaces that was not in the question", async (path) => {
    // The names of two fields contain words that are looked for.
    const said = (await askAll(beside, path, READER)).join("\n").replaceAll(/"(newest|teams)":/g, "");
    const asked = decodeURIComponent(path);
    for (const word of ["secret-2", "hidden", "west", 'them"', "team", "DeadlineExceeded", "secret-a", "forged"]) {
      if (!asked.includes(word)) expect(said).not.toContain(word);
    }
  });
});

describe("data of other namespaces", () => {
  it.each(Object.entries(QUESTIONS))("is in what route %s answers to who may see everything", async (_, paths) => {
    const answers = async (stores: ApiStores) =>
      Promise.all(paths.map(async (path) => askAll(stores, path, "everything")));
    expect(await answers(beside)).not.toEqual(await answers(alone));
  });

  it.each([
    "/api/v1/namespaces",
    "/api/v1/pods",
    "/apis/batch/v1/jobs",
    "/apis/batch/v1/jobs?watch=true&resourceVersion=1767225600000&timeoutSeconds=1",
    "/api/v1/pods?watch=true&resourceVersion=1767225600000&timeoutSeconds=1",
    "/apis/batch/v1/namespaces/theirs/jobs/secret",
    "/apis/batch/v1/cronjobs",
    "/api/v1/namespaces/theirs/events?fieldSelector=involvedObject.kind%3DJob,involvedObject.name%3Dsecret",
  ])("is in what the Kubernetes shape answers to who may see everything, at %s", async (path) => {
    expect(KUBE_QUESTIONS).toContain(path);
    const at = `/clusters/east${path}`;
    expect(await askAll(beside, at, "everything")).not.toEqual(await askAll(alone, at, "everything"));
  });

  it("looks the same as a Job that does not exist", async () => {
    for (const part of ["", "/pods", "/history", "/why", "/indexes"]) {
      const [there] = await askAll(beside, `${JOBS}/theirs/jobs/secret${part}`, READER);
      const [notThere] = await askAll(beside, `${JOBS}/theirs/jobs/absent${part}`, READER);
      expect(there).toBe(notThere?.replaceAll("absent", "secret"));
    }
    const [west] = await askAll(beside, "/v1/clusters/west/namespaces/mine/jobs/hidden", READER);
    const [nowhere] = await askAll(beside, "/v1/clusters/none/namespaces/mine/jobs/hidden", READER);
    expect(west).toBe(nowhere?.replaceAll("none", "west"));
  });
});

describe("a cursor of a reader of everything", () => {
  it.each(["/v1/jobs?limit=1", "/v1/jobs?limit=1&attention=true", "/v1/gaps?limit=1"])(
    "moves another reader within what they may see: %s",
    async (path) => {
      const { ask } = apiOver(beside);
      let cursor = ((await ask(path)).body as { readonly nextCursor?: string }).nextCursor;
      expect(cursor).toBeTypeOf("string");
      while (cursor !== undefined) {
        const next = `${path}&cursor=${cursor}`;
        const texts = (await askAll(beside, next, READER)).join("\n");
        for (const word of ["secret", "hidden", "west", "theirs"]) expect(texts).not.toContain(word);
        cursor = ((await ask(next)).body as { readonly nextCursor?: string }).nextCursor;
      }
    },
  );

  it("of their Job's Pods is of no use at another Job", async () => {
    const { ask } = apiOver(beside);
    const path = `${JOBS}/theirs/jobs/secret/pods?limit=1`;
    const { nextCursor } = (await ask(path)).body as { readonly nextCursor?: string };
    expect(nextCursor).toBeTypeOf("string");
    const [own] = await askAll(beside, `${JOBS}/mine/jobs/report/pods?cursor=${nextCursor}`, READER);
    expect(own).toContain("400 ");
    expect((await askAll(beside, `${path}&cursor=${nextCursor}`, READER))[0]).toContain("404 ");
  });
});
