import { describe, expect, it } from "vitest";
import { unknownJob } from "../../../src/http/routes/job-path.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const wanted = { cluster: clusterNamed("east"), namespace: "web", name: "report" };
const none = { outcome: "unknownJob", generations: [], near: [], elsewhere: [] } as const;
const generation = { uid: "u1", createdAt: "2026-01-01T00:00:00Z", state: "Complete" } as const;
const MISSING = 'Job "report" not found in namespace "web" of cluster "east".';

describe("the problem of an unknown Job", () => {
  it.each([
    ["names what was not found", wanted, none, MISSING],
    ["suggests similar names", wanted, { ...none, near: ["reports"] }, `${MISSING} Did you mean reports?`],
    [
      "names other namespaces that have one",
      wanted,
      { ...none, elsewhere: ["batch", "data"] },
      `${MISSING} A Job with this name exists in namespace batch, data, not in web.`,
    ],
    [
      "says how to look elsewhere if the store cannot",
      wanted,
      { ...none, elsewhere: undefined },
      `${MISSING} To look in all namespaces, list Jobs by name.`,
    ],
    [
      "lists the other uids of the name",
      { ...wanted, uid: "u2" },
      { ...none, generations: [generation] },
      'Job "report" with uid "u2" not found in namespace "web" of cluster "east". Jobs with this name had the uids u1.',
    ],
  ])("%s", (_, asked, { elsewhere, ...unknown }, detail) => {
    const problem = unknownJob(asked, { ...unknown, ...(elsewhere && { elsewhere }) });
    expect(problem).toMatchObject({ type: "urn:outlive:problem:no-such-job", detail });
  });

  it.each([
    [[], 'Cluster "east" not found. No cluster has sent data yet.'],
    [["west", "north"], 'Cluster "east" not found. Known clusters: west, north.'],
  ])("names the clusters: %j", (near, detail) => {
    const problem = unknownJob(wanted, { outcome: "unknownCluster", near });
    expect(problem).toMatchObject({ type: "urn:outlive:problem:no-such-cluster", detail });
  });
});
