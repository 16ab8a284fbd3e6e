import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { findKubePod, listKubePods } from "../../../src/http/kubectl/list-kube-pods.ts";
import type { KubeContext } from "../../../src/http/kubectl/kube-context.ts";
import { kubeContextOver, kubeOptions, kubePath } from "../../support/http/kube-question.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

const PATH = "/api/v1/namespaces/default/pods";
const LONG = `render-${"x".repeat(55)}`;

/** A Job that is created `second` seconds after the beginning, with these Pods. */
function job(name: string, second: number, pods: readonly string[]): Story {
  const story = new Story(name);
  story.after(second);
  story.jobCreated();
  story.jobTracked();
  for (const pod of pods) {
    story.after(1);
    story.podCreated(pod, name === LONG ? { name: pod } : {});
  }
  return story;
}

const STORIES = [
  job("old", 0, ["aaaaa", "bbbbb", "ccccc"]),
  job("none", 10, []),
  job("render", 20, ["0-aaaaa", "1-bbbbb"]),
  job(LONG, 30, [`${LONG.slice(0, 57)}-ddddd`, `${LONG.slice(0, 55)}-3-eeeee`]),
];
const NEWEST_FIRST = STORIES.toReversed().map(({ record }) =>
  [...record.pods.values()].map(({ created }) => created?.name ?? "").toSorted(),
);

let context: KubeContext;
beforeAll(async () => {
  const { projections, meta, log } = await storesWithFacts(STORIES.flatMap(({ facts }) => facts));
  context = kubeContextOver({ jobs: projections.open("A"), meta, log });
});

async function namesOnAllPages(query: string): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  let token: string | undefined = "";
  while (token !== undefined) {
    const page = await listKubePods(context, kubePath(PATH), kubeOptions(PATH, `${query}&continue=${token}`));
    if (page.outcome === "badToken") throw new Error(page.message);
    pages.push(page.rows.map(({ attempt }) => attempt.name));
    token = page.continueToken;
  }
  return pages;
}

describe("Pods of the Kubernetes API", () => {
  it("are listed once each, newest Job first, on pages of any size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), async (limit) => {
        const pages = await namesOnAllPages(`limit=${limit}`);
        const names = pages.flat();
        expect(pages.filter((page) => page.length > limit)).toEqual([]);
        const perJob = NEWEST_FIRST.map((pods) => names.splice(0, pods.length).toSorted());
        expect([perJob, names]).toEqual([NEWEST_FIRST, []]);
      }),
    );
  });

  it.each([
    ["of a Job by its name", "job-name%3Drender", 2],
    ["of a Job by its uid", "batch.kubernetes.io/controller-uid%3Dold", 3],
    ["of two Jobs", "job-name%20in%20(old,render)", 5],
    ["of an index", "batch.kubernetes.io/job-completion-index", 0],
    ["of an unknown uid", "controller-uid%3Dnothing", 0],
  ])("%s are selected by labels", async (_, labels, count) => {
    expect((await namesOnAllPages(`labelSelector=${labels}`)).flat()).toHaveLength(count);
  });

  it.each(["abc", Buffer.from("[1,2]").toString("base64url"), Buffer.from("{}").toString("base64url")])(
    "are not listed from the token %s, which no list returned",
    async (token) => {
      const options = kubeOptions(PATH, `continue=${token}`);
      expect(await listKubePods(context, kubePath(PATH), options)).toMatchObject({ outcome: "badToken" });
    },
  );
});

describe("a Pod that is requested by name", () => {
  it.each([
    ["old-aaaaa", "old"],
    ["render-1-bbbbb", "render"],
    [`${LONG.slice(0, 57)}-ddddd`, LONG],
    [`${LONG.slice(0, 55)}-3-eeeee`, LONG],
    ["old-zzzzz", undefined],
    [`${LONG.slice(0, 57)}-zzzzz`, undefined],
  ])("%s is found in the Job %s", async (name, jobName) => {
    expect((await findKubePod(context, "default", name))?.job.name).toBe(jobName);
  });

  it("is not found in another namespace", async () => {
    expect(await findKubePod(context, "other", "old-aaaaa")).toBeUndefined();
  });
});
