import { describe, expect, it } from "vitest";
import { resourceOf } from "../../../src/notify/traces/run-resource.ts";

const run = { cluster: "east", namespace: "batch", name: "report-x7k2p", uid: "u1", labels: {} };
const series = { kind: "CronJob", name: "report", uid: "c1" };

describe("the resource of a run", () => {
  it.each([
    ["the application that a label names", { labels: { "app.kubernetes.io/name": "shop" }, series }, "shop"],
    [
      "its instance, if a label names that too",
      { labels: { "app.kubernetes.io/name": "shop", "app.kubernetes.io/instance": "shop-eu" } },
      "shop-eu",
    ],
    ["its series", { series }, "report"],
    ["its namespace, because a name of its own would be a service for each run", {}, "batch"],
  ])("has as service %s", (_, said, expected) => {
    expect(resourceOf({ ...run, ...said })["service.name"]).toBe(expected);
  });

  it("identifies the pipeline and its run, and a CronJob", () => {
    expect(resourceOf({ ...run, series, link: "https://outlive.example.org/#/x" })).toMatchObject({
      "k8s.cluster.name": "east",
      "k8s.namespace.name": "batch",
      "k8s.cronjob.name": "report",
      "k8s.cronjob.uid": "c1",
      "cicd.pipeline.name": "report",
      "cicd.pipeline.run.id": "u1",
      "cicd.pipeline.run.url.full": "https://outlive.example.org/#/x",
    });
    expect(resourceOf(run)).toMatchObject({ "cicd.pipeline.name": "report-x7k2p", "k8s.cronjob.name": undefined });
  });
});
