import { describe, expect, it } from "vitest";
import { Readiness } from "../../../src/host/exporter/readiness.ts";

const well = { failingMillis: 0, isWaiting: false };

describe("the readiness of an exporter", () => {
  it("is reached when Jobs and Pods are watched", () => {
    const readiness = new Readiness();
    expect(readiness.reasons(well)).toEqual(["jobs are not yet watched.", "pods are not yet watched."]);
    readiness.onCapture({ kind: "watching", resource: "jobs", resumed: true });
    readiness.onCapture({ kind: "watching", resource: "pods", resumed: true });
    expect(readiness.reasons(well)).toEqual([]);
  });

  it("reports the problem of a watch that cannot start", () => {
    const readiness = new Readiness();
    readiness.onCapture({ kind: "watching", resource: "jobs", resumed: true });
    readiness.onCapture({ kind: "problem", resource: "pods", message: "Grant pods.", retryInMillis: 1 });
    expect(readiness.reasons(well)).toEqual(["Grant pods."]);
  });

  it("does not depend on Nodes, but reports their problem", () => {
    const readiness = new Readiness();
    for (const resource of ["jobs", "pods"] as const) {
      readiness.onCapture({ kind: "watching", resource, resumed: true });
    }
    readiness.onCapture({ kind: "problem", resource: "nodes", message: "Grant nodes.", retryInMillis: 1 });
    expect(readiness.reasons(well)).toEqual([]);
    expect(readiness.problems).toEqual(["Grant nodes."]);
  });

  it("reports the problem of a custom resource until the cluster serves it no longer", () => {
    const readiness = new Readiness();
    const resource = "jobsets.jobset.x-k8s.io";
    readiness.onCapture({ kind: "problem", resource, message: "Grant jobsets.", retryInMillis: 1 });
    expect(readiness.problems).toEqual(["Grant jobsets."]);
    readiness.onCapture({ kind: "removed", resource });
    expect(readiness.problems).toEqual([]);
  });

  it("ends when the queue has accepted nothing for more than a minute", () => {
    const readiness = new Readiness();
    for (const resource of ["jobs", "pods"] as const) {
      readiness.onCapture({ kind: "watching", resource, resumed: true });
    }
    expect(readiness.reasons({ ...well, failingMillis: 60_000 })).toEqual([]);
    expect(readiness.reasons({ ...well, failingMillis: 61_000 })).toEqual(["The queue has accepted nothing for 61 s."]);
  });

  it("does not require watches of a waiting replica", () => {
    expect(new Readiness().reasons({ ...well, isWaiting: true })).toEqual([]);
  });
});
