import { beforeEach, describe, expect, it } from "vitest";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { eraseFrom, erasureOfJob } from "../../support/erasure/archived-erasure.ts";

let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
});

async function answer(name: string, hasArchive = true) {
  const stores = { ...scene.tracker.stores, ...(hasArchive && { archive: scene.store }) };
  const response = await inProcessClient(stores, "test").request(
    `/v1/clusters/east/namespaces/shop/jobs/${name}/evidence`,
  );
  const body: unknown = await response.json();
  return { status: response.status, body };
}

describe("the evidence over HTTP", () => {
  it("is that of the Job", async () => {
    await scene.archive(EIGHT + HOUR + 10 * MINUTE);
    expect(await answer("report")).toMatchObject({
      status: 200,
      body: { format: "outlive-evidence", cluster: "east" },
    });
  });

  it("is refused, with the segment file, where facts of another Job were erased from the file", async () => {
    await scene.tracker.tell(endedJob({ name: "other", createdAt: EIGHT }), EIGHT + 6 * MINUTE);
    await scene.archive(EIGHT + 2 * HOUR);
    await eraseFrom(scene.store, erasureOfJob("other", EIGHT + HOUR));
    expect(await answer("report")).toMatchObject({
      status: 410,
      body: { title: "Proof erased", detail: expect.stringMatching(/segment file segments\/.*stays valid/) as string },
    });
  });

  it("is refused, with what to do, where there is none", async () => {
    expect(await answer("report", false)).toMatchObject({ status: 404, body: { title: "Archive not available" } });
    expect(await answer("report")).toMatchObject({ status: 404, body: { title: "Not archived yet" } });
    expect(await answer("other")).toMatchObject({ status: 404, body: { title: "No such Job" } });
  });
});
