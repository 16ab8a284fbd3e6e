import { beforeAll, describe, expect, it } from "vitest";
import { EVENT_FORMAT, listKubeEvents } from "../../../src/http/kubectl/kube-events.ts";
import type { KubeContext } from "../../../src/http/kubectl/kube-context.ts";
import type { KubeObject } from "../../../src/http/kubectl/kube-object.ts";
import { compareText } from "../../../src/job/model/compare-text.ts";
import { kubeContextOver, kubePath } from "../../support/http/kube-question.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

const EVENTS = "/api/v1/namespaces/default/events";

/** A Job whose only Pod fails, and vanishes. */
function failedStory(): Story {
  const story = new Story("report");
  story.jobCreated({ backoffLimit: 0 });
  story.jobTracked();
  story.podFails("aaaaa", 1, 5);
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
  story.podVanished("aaaaa");
  return story;
}

let context: KubeContext;
beforeAll(async () => {
  const { projections, meta, log } = await storesWithFacts(failedStory().facts);
  context = kubeContextOver({ jobs: projections.open("A"), meta, log });
});

async function eventsOf(involved: Readonly<Record<string, string>>, path = EVENTS): Promise<readonly KubeObject[]> {
  const fields = Object.entries(involved).map(([field, value]) => [`involvedObject.${field}`, value] as const);
  const found = await listKubeEvents(context, kubePath(path), new Map(fields));
  if (found.outcome === "tooMany") throw new Error("The request names no object.");
  return found.events;
}

const sorted = (texts: readonly string[]) => texts.toSorted(compareText);
const reasonsOf = (events: readonly KubeObject[]) => events.map(({ reason }) => String(reason));
const OF_THE_JOB = ["JobCreated", "JobSpecified", "PodCreated", "PodTerminated", "JobFinished", "PodVanished", "Cause"];
const OF_THE_POD = ["PodCreated", "PodScheduled", "PodStarted", "PodObserved", "ContainerEnded", "PodTerminated"];

describe("the Events of an object", () => {
  it.each([
    ["a Job are its facts, the outcomes of its Pods, and why it failed", { kind: "Job", name: "report" }, OF_THE_JOB],
    ["a name are those of the Job, if there is one", { name: "report" }, OF_THE_JOB],
    ["a Pod are all facts about it", { kind: "Pod", name: "report-aaaaa" }, [...OF_THE_POD, "PodVanished"]],
    ["a name are those of the Pod, if there is no Job", { name: "report-aaaaa" }, [...OF_THE_POD, "PodVanished"]],
    ["an unknown Job are none", { kind: "Job", name: "other" }, []],
    ["an unknown Pod are none", { kind: "Pod", name: "other-a" }, []],
    ["another kind are none", { kind: "Node", name: "node-a" }, []],
    ["another Job of the same name are none", { kind: "Job", name: "report", uid: "other" }, []],
  ])("of %s", async (_, involved, reasons) => {
    const shown = reasonsOf(await eventsOf(involved)).filter((reason) => reason !== "JobReported");
    expect(sorted(shown)).toEqual(sorted(reasons));
  });

  it("say who is responsible for the failure of a Job, and whether a retry helps", async () => {
    const events = await eventsOf({ kind: "Job", name: "report" });
    const cause = events.find(({ reason }) => reason === "Cause");
    expect(cause?.["message"]).toMatch(/\. Responsible: [a-z]+\. Retry: [a-z-]+\.$/);
  });

  it("are too many without a name, or without a namespace", async () => {
    for (const [path, fields] of [
      [EVENTS, []],
      ["/api/v1/events", [["involvedObject.name", "report"]]],
    ] as const) {
      expect(await listKubeEvents(context, kubePath(path), new Map(fields))).toEqual({ outcome: "tooMany" });
    }
  });

  it("have names of their own, by which each is found again", async () => {
    const events = await eventsOf({ kind: "Job", name: "report" });
    const names = events.map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names.filter((own) => own.startsWith("report."))) {
      const again = await eventsOf({}, `${EVENTS}/${name}`);
      expect(again.map(({ metadata }) => metadata.name)).toContain(name);
    }
  });

  it.each([
    ["PodVanished", "Warning"],
    ["PodCreated", "Normal"],
    ["JobFinished", "Warning"],
    ["JobCreated", "Normal"],
  ])("%s is a %s", async (reason, type) => {
    const events = await eventsOf({ kind: "Job", name: "report" });
    expect(events.find((event) => event["reason"] === reason)).toMatchObject({ type });
  });

  it("are rows that name the object", async () => {
    const [event] = await eventsOf({ kind: "Pod", name: "report-aaaaa" });
    if (event === undefined) throw new Error("The Pod has Events.");
    const cells = EVENT_FORMAT.columns.map(({ cell }) => cell(event, Date.parse("2026-01-01T00:02:00Z")));
    expect(cells.slice(0, 4)).toEqual(["2m", "Normal", "PodCreated", "pod/report-aaaaa"]);
  });
});
