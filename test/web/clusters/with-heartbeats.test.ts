import { describe, expect, it } from "vitest";
import { withHeartbeats } from "../../../web/clusters/with-heartbeats.ts";
import { second } from "../../support/story/listed-job.ts";

const east = { name: "east", observedAt: second(10), namespaces: ["batch"] };

describe("clusters with heartbeats of a later poll", () => {
  it("are as recent as the later of both", () => {
    expect(withHeartbeats([east], [{ name: "east", observedAt: second(20) }])).toEqual([
      { ...east, observedAt: second(20) },
    ]);
    expect(withHeartbeats([east], [{ name: "east", observedAt: second(5) }])).toEqual([east]);
    expect(withHeartbeats([east], [])).toEqual([east]);
  });

  it("include those that have appeared since", () => {
    const west = { name: "west", observedAt: second(1) };
    expect(withHeartbeats([east], [west])).toEqual([east, { ...west, namespaces: [] }]);
  });
});
