import { describe, expect, it } from "vitest";
import { tokenGrant } from "../../../src/http/access/token-access.ts";
import { apiOver } from "../../support/http/request-api.ts";
import { restartedJobSet } from "../../support/story/run-story.ts";
import { factsOfRuns, nightlyRun } from "../../support/story/compared-story.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";

const JOBS = "/v1/clusters/east/namespaces/default/jobs";
const RUNS = "/v1/clusters/east/namespaces/ml/runs/jobset";

async function api() {
  return apiOver(
    await storesWithFacts([
      ...factsOfRuns(nightlyRun(0), nightlyRun(1, { ended: "Failed", spec: { parallelism: 2 } })),
      ...restartedJobSet(),
      ...restartedJobSet({ name: "other" }),
    ]),
  );
}

describe("the comparison of two Jobs", () => {
  it("has their differences, with the last good one first", async () => {
    const { status, body } = await (await api()).ask(`${JOBS}/nightly-1/compare`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      chosen: "lastGood",
      before: { name: "nightly-0", state: "Complete" },
      after: { name: "nightly-1", state: "Failed" },
    });
    expect(body).toHaveProperty("differences.2", {
      kind: "cause",
      group: "outcome",
      title: "Cause",
      before: { text: "none" },
      after: { text: "OOMKilled: container work exceeded its memory limit", value: "oom" },
    });
  });

  it("is with the Job of a uid, if it is given", async () => {
    const { body } = await (await api()).ask(`${JOBS}/nightly-0/compare?with=nightly-1-uid-1`);
    expect(body).toMatchObject({ chosen: "given", before: { name: "nightly-1" }, after: { name: "nightly-0" } });
  });

  it("says which of the two is unknown", async () => {
    const { ask } = await api();
    const other = await ask(`${JOBS}/nightly-0/compare?with=nothing`);
    expect([other.status, other.text]).toEqual([
      404,
      expect.stringContaining('has the uid \\"nothing\\" of \\"with\\"'),
    ]);
    const job = await ask(`${JOBS}/nightly-9/compare`);
    expect([job.status, job.text]).toEqual([404, expect.stringContaining('Job \\"nightly-9\\" not found')]);
  });

  it("needs access to the namespace", async () => {
    const { app } = apiOver(await storesWithFacts(factsOfRuns(nightlyRun(0), nightlyRun(1))), {
      kind: "bearer",
      tokens: [tokenGrant("secret", { grants: [{ cluster: "east", namespaces: ["other"] }] })],
    });
    const headers = { authorization: "Bearer secret" };
    expect((await app.request(`${JOBS}/nightly-1/compare`, { headers })).status).toBe(404);
    expect((await app.request(`${JOBS}/nightly-1/compare`)).status).toBe(401);
  });
});

describe("the comparison of two runs", () => {
  it("is with the run of a uid, if it is given", async () => {
    const { body } = await (await api()).ask(`${RUNS}/train/compare?with=other-uid`);
    expect(body).toMatchObject({ chosen: "given", before: { name: "other" }, after: { name: "train" } });
  });

  it("without a good run before says so", async () => {
    const { body } = await (await api()).ask(`${RUNS}/train/compare`);
    expect(body).toMatchObject({ noLastGood: { reason: "noEarlierRun" }, differences: [] });
  });

  it("says which of the two is unknown", async () => {
    const { ask } = await api();
    expect(await ask(`${RUNS}/train/compare?with=nothing`)).toMatchObject({ status: 404 });
    expect((await ask(`${RUNS}/nothing/compare`)).text).toContain('Run \\"jobset/nothing\\" not found');
  });
});
