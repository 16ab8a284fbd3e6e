import { describe, expect, it } from "vitest";
import { answerKubernetes, chooseKubeCluster } from "../../../src/http/kubectl/answer-kubernetes.ts";
import { kubeContextOver, kubeOptions, kubePath } from "../../support/http/kube-question.ts";
import { listedJob, second, storesWith } from "../../support/story/listed-job.ts";

const JOBS = "/apis/batch/v1/namespaces/batch/jobs";
const NAMES = ["render-1", "render-2", "render-3"];

/** Three Jobs, the newest last. */
async function openContext() {
  const jobs = NAMES.map((name, index) => listedJob({ name, uid: `u${index}`, createdAt: second(index) }));
  return kubeContextOver(await storesWith(jobs));
}

async function answer(path: string, query = "") {
  const answered = await answerKubernetes(await openContext(), kubePath(path), kubeOptions(path, query));
  if (answered.outcome === "refused") return [answered.status.reason, answered.status.message] as const;
  const { objects, continueToken } = answered.listing;
  return { names: objects.map(({ metadata }) => metadata.name), isComplete: continueToken === undefined };
}

describe("a list of Kubernetes objects", () => {
  it.each([
    ["without a limit has everything", "", ["render-3", "render-2", "render-1"], true],
    ["with a limit is one page", "limit=1", ["render-3"], false],
    ["with a larger limit has everything", "limit=3", ["render-3", "render-2", "render-1"], true],
    ["by a name has one object", "fieldSelector=metadata.name%3Drender-1", ["render-1"], true],
    ["that nothing matches is empty", "labelSelector=app%3Dnothing", [], true],
  ])("%s", async (_, query, names, isComplete) => {
    expect(await answer(JOBS, query)).toEqual({ names, isComplete });
  });

  it.each([
    [1, 500, false],
    [500, 500, false],
    [501, 501, true],
  ])("without a limit reads pages of 500 until it has %i objects", async (most, count, isComplete) => {
    const jobs = Array.from({ length: 501 }, (_, index) => listedJob({ name: `job-${index}`, uid: `u${index}` }));
    const context = { ...kubeContextOver(await storesWith(jobs)), most };
    const answered = await answerKubernetes(context, kubePath(JOBS), kubeOptions(JOBS));
    if (answered.outcome === "refused") throw new Error(answered.status.message);
    const { objects, continueToken } = answered.listing;
    expect([objects.length, continueToken === undefined]).toEqual([count, isComplete]);
  });

  it.each([
    ["Jobs", JOBS],
    ["Pods", "/api/v1/pods"],
    ["CronJobs", "/apis/batch/v1/cronjobs"],
  ])("of %s is refused as expired for a token of something else", async (_, path) => {
    expect(await answer(path, "continue=abc")).toMatchObject(["Expired", expect.anything()]);
  });

  it("of Events is refused without an object, with what to add", async () => {
    expect(await answer("/api/v1/events")).toEqual(["BadRequest", expect.stringContaining("--for job/NAME")]);
  });
});

describe("a Kubernetes object that is requested by name", () => {
  it.each([
    [`${JOBS}/render-2`, "render-2"],
    ["/api/v1/namespaces/batch", "batch"],
  ])("is found at %s", async (path, name) => {
    expect(await answer(path)).toMatchObject({ names: [name] });
  });

  it.each([
    [`${JOBS}/rendr-2`, 'jobs.batch "rendr-2" not found: did you mean render-2'],
    [`${JOBS}/unlike`, 'jobs.batch "unlike" not found'],
    ["/api/v1/namespaces/bach", 'namespaces "bach" not found: did you mean batch?'],
    ["/api/v1/namespaces/batch/pods/a", 'pods "a" not found'],
    ["/apis/batch/v1/namespaces/batch/cronjobs/a", 'cronjobs.batch "a" not found'],
  ])("%s is not found, and the message names similar ones", async (path, message) => {
    expect(await answer(path)).toEqual(["NotFound", expect.stringContaining(message)]);
  });
});

describe("the cluster of a Kubernetes request", () => {
  it.each<[readonly string[], string | undefined, string | RegExp]>([
    [["east"], undefined, "east"],
    [["east"], "east", "east"],
    [["east", "west"], "west", "west"],
    [["east"], "west", /"west" not found. Known clusters: east/],
    [[], "west", /"west" not found.$/],
    [[], undefined, /No cluster has sent data/],
    [["east", "west"], undefined, /several clusters \(east, west\)/],
  ])("of %j, with %j in the URL, is %s", async (clusters, named, expected) => {
    const ports = await storesWith(clusters.map((cluster) => listedJob({ cluster })));
    const chosen = await chooseKubeCluster({ ports, scope: "everything" }, named);
    if (typeof expected === "string") expect(chosen).toEqual({ cluster: expected });
    else expect(chosen).toMatchObject({ status: { code: 404, message: expect.stringMatching(expected) as string } });
  });
});
