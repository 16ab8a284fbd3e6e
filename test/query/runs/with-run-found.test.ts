import { describe, expect, it } from "vitest";
import { withRunFound } from "../../../src/query/runs/with-run-found.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { dagsterJob, restartedJobSet } from "../../support/story/run-story.ts";

const cluster = clusterOf("east");
const ports = () => runPortsWith([...restartedJobSet(), ...dagsterJob("5f1a")]);

describe("a filter for the Jobs of a run", () => {
  it.each([{ cluster }, {}])("has its uid and its Jobs (%j)", async (place) => {
    const filter = { ...place, namespace: "data", run: "dagsterrun/5f1a" };
    const { runsFound } = await withRunFound(await ports(), "everything", filter);
    expect(runsFound).toMatchObject([{ cluster, jobs: new Set(["dagster-run-5f1a"]) }]);
  });

  it.each([
    ["without a namespace", { run: "jobset/train" }],
    ["with a name alone", { namespace: "ml", run: "train" }],
    ["with a run that is not stored", { namespace: "ml", run: "jobset/none" }],
    ["without a run", { namespace: "ml" }],
  ])("stays the same %s", async (_, filter) => {
    expect(await withRunFound(await ports(), "everything", filter)).toBe(filter);
  });

  it("stays the same for a reader of other namespaces", async () => {
    const filter = { namespace: "ml", run: "jobset/train" };
    const scope = { grants: [{ cluster, namespaces: ["data"] }] };
    expect(await withRunFound(await ports(), scope, filter)).toBe(filter);
  });
});
