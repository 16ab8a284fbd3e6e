import { describe, expect, it } from "vitest";
import { askAboutCluster } from "../../src/cells/ask-about-cluster.ts";
import { problem } from "../../src/http/contract/problem.ts";
import { answering, cellReader, refusing, SILENT } from "../support/http/cell-reader.ts";

const CELLS = [{ name: "eu" }, { name: "us", url: "https://us.test" }];
const MOVED = { cells: CELLS, clusters: { prod: { cell: "us", previous: [{ cell: "eu", until: 1 }] } } };
const QUESTION = { cluster: "prod", target: "/v1/clusters/prod/namespaces/a/jobs/b" };
const NO_JOB = problem("no-such-job", "No Job.");
const NO_CLUSTER = problem("no-such-cluster", "No cluster. Known clusters: secret.");

describe("a question about a cluster", () => {
  it("goes to its cell only, if that knows the object", async () => {
    const reader = cellReader(MOVED, () => answering({}));
    expect(await askAboutCluster(reader, QUESTION)).toMatchObject({ outcome: "routed", notAsked: [{ name: "eu" }] });
    expect(reader.asked).toEqual([`us ${QUESTION.target}`]);
  });

  it("goes to the earlier cell next", async () => {
    const reader = cellReader(MOVED, (cell) => (cell === "us" ? refusing(NO_JOB) : answering({})));
    expect(await askAboutCluster(reader, QUESTION)).toMatchObject({ outcome: "routed", notAsked: [] });
    expect(reader.asked).toHaveLength(2);
  });

  it("returns the reason of a cell that knows the cluster", async () => {
    const reader = cellReader({ cells: CELLS, clusters: {} }, (cell) => refusing(cell === "eu" ? NO_CLUSTER : NO_JOB));
    const routed = await askAboutCluster(reader, QUESTION);
    expect(routed.outcome === "routed" && (await routed.response.json())).toMatchObject({ detail: "No Job." });
  });

  it("names no other cluster if no cell knows it", async () => {
    const reader = cellReader({ cells: CELLS, clusters: {} }, () => refusing(NO_CLUSTER));
    expect(await askAboutCluster(reader, QUESTION)).toMatchObject({
      outcome: "refused",
      problem: { status: 404, detail: expect.not.stringContaining("secret") as unknown },
    });
  });

  it("is open while a cell that may know the object is silent", async () => {
    const reader = cellReader(MOVED, (cell) => (cell === "us" ? refusing(NO_JOB) : SILENT));
    expect(await askAboutCluster(reader, QUESTION)).toMatchObject({ outcome: "refused", problem: { status: 503 } });
  });

  it("passes on a refusal of the cell", async () => {
    const reader = cellReader(MOVED, () => refusing(problem("bad-parameter", "No.")));
    const routed = await askAboutCluster(reader, QUESTION);
    expect(routed.outcome === "routed" && routed.response.status).toBe(400);
  });
});
