import { describe, expect, it } from "vitest";
import { checkedText } from "../../../web/attention/checked-text.ts";

const NOW = Date.parse("2026-01-02T00:00:00Z");

function cluster(secondsAgo: number, serverVersion: string | undefined = "v1.36.0") {
  const observedAt = new Date(NOW - secondsAgo * 1_000).toISOString();
  return { name: `c${secondsAgo}`, namespaces: [], observedAt, ...(serverVersion && { serverVersion }) };
}

describe("what an empty list is based on", () => {
  it.each([
    [[], "No cluster has sent data yet."],
    [[cluster(5), cluster(48)], "2 clusters watched, with data that is at most 48s old."],
    [
      [cluster(5), cluster(7_200)],
      "2 clusters watched, with data that is at most 120m old. 1 of them stopped reporting.",
    ],
    [[cluster(5, "")], "No cluster is watched. 1 cluster imported from recordings."],
  ])("%#: %s", (clusters, text) => {
    expect(checkedText(clusters, NOW)).toBe(text);
  });
});
