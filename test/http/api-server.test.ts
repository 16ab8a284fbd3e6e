import { describe, expect, it } from "vitest";
import { ApiServer } from "../../src/http/api-server.ts";
import { ArchiveScene } from "../support/archive/archive-scene.ts";

function serverOver(stores: ApiServer["stores"]): ApiServer {
  return new ApiServer({
    stores,
    access: { kind: "inProcess" },
    now: Date.now,
    version: "0.0.0",
    onError: (error) => {
      throw error;
    },
  });
}

describe("the stores of a request", () => {
  it("include the Jobs of an archive, if the server has one", async () => {
    const { tracker, store } = new ArchiveScene();
    expect(await serverOver(tracker.stores).portsFor("me")()).not.toHaveProperty("archived");
    expect(await serverOver({ ...tracker.stores, archive: store }).portsFor("me")()).toHaveProperty("archived");
  });
});
