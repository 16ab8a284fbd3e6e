import { describe, expect, it } from "vitest";
import { nodeShareText, nodesText } from "../../../src/explain/nodes/nodes-text.ts";

const SINCE = "2026-11-21T00:00:00Z";
const node = (name: string, worse: boolean) => ({
  cluster: "east",
  node: name,
  pods: 10,
  failed: 5,
  failedShare: 0.5,
  failedShareAtLeast: 0.2,
  othersFailedShare: 0.1,
  worse,
});
const answer = (...worse: readonly boolean[]) => ({
  since: SINCE,
  pods: 124,
  failed: 24,
  nodes: 4,
  items: worse.map((one, at) => node(`node-${at}`, one)),
  complete: true,
});

describe("what an answer about failing nodes says", () => {
  it.each([
    ["none is worse", answer(false, false), "None is worse than the others beyond chance"],
    ["one is", answer(true, false), "1 is worse than the others beyond chance"],
    ["all that are listed are", answer(true, true), "At least 2 are worse than the others beyond chance"],
  ])("is how many are worse: %s", (_, said, worse) => {
    expect(nodesText(said)).toBe(
      `24 of 124 Pods failed on 4 nodes, of Jobs created since ${SINCE}. ${worse} (95 % confidence).`,
    );
  });

  it("has shares in tenths of a percent", () => {
    expect([0, 0.0216, 1].map(nodeShareText)).toEqual(["0 %", "2.2 %", "100 %"]);
  });
});
