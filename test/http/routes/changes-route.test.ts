import { describe, expect, it } from "vitest";
import { listedJob } from "../../support/story/listed-job.ts";
import { apiWith } from "../../support/http/request-api.ts";

describe("an answer with changes", () => {
  it("has the heartbeats of the clusters on request", async () => {
    const { ask } = await apiWith([listedJob(), listedJob({ uid: "uid-2", cluster: "west" })]);
    const { body } = await ask("/v1/changes?heartbeats=true");
    expect(body).toMatchObject({ items: [], more: false, heartbeats: [{ name: "east" }, { name: "west" }] });
    expect(body).toHaveProperty("nextCursor");
    expect((await ask("/v1/changes")).body).not.toHaveProperty("heartbeats");
  });

  it("is refused with a cursor that is not valid, with heartbeats too", async () => {
    const { ask } = await apiWith([]);
    expect((await ask("/v1/changes?heartbeats=true&cursor=forged")).status).toBe(400);
  });
});
