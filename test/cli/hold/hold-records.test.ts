import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setHold } from "../../../cli/hold/hold-records.ts";
import { cluster, ErasureScene, NAMES, NAMESPACE, ofJob } from "../../support/erasure/erasure-scene.ts";

describe("a hold in a database that does not exist", () => {
  it("is refused", async () => {
    const hold = { database: "/nonexistent/x.sqlite", cluster: "east", reason: "x" };
    await expect(setHold(undefined, hold)).rejects.toThrow("There is no database");
  });
});

describe("a hold while an erasure is not finished", () => {
  let scene: ErasureScene;
  beforeEach(async () => {
    scene = new ErasureScene();
    await scene.fill();
    const killed = scene.ports({
      onStep: () => {
        throw new Error("killed");
      },
    });
    await expect(scene.erase(ofJob, killed)).rejects.toThrow("killed");
  });
  afterEach(() => scene.remove());

  const hold = (job: string | undefined, namespace?: string) =>
    setHold(job, {
      database: scene.database,
      cluster,
      reason: "case-4711",
      ...(namespace !== undefined && { namespace }),
    });

  it.each<[string, string | undefined, string | undefined]>([
    ["the Job", `job/${NAMES.job}`, NAMESPACE],
    ["its namespace", undefined, NAMESPACE],
    ["its cluster", undefined, undefined],
  ])("is refused on %s", async (_, job, namespace) => {
    await expect(hold(job, namespace)).rejects.toThrow(/by alice \(request 12\) has begun.*Repeat the erasure/);
    expect(await scene.erase(ofJob)).toMatchObject({ outcome: "erased" });
  });

  it("is set on another Job, and when the erasure is finished", async () => {
    await hold("job/another", NAMESPACE);
    expect(await scene.erase(ofJob)).toMatchObject({ outcome: "erased" });
    await hold(`job/${NAMES.job}`, NAMESPACE);
  });
});
