import { describe, expect, it } from "vitest";
import { attentionParameters } from "../../../web/attention/attention-parameters.ts";

describe("the filters of the attention view", () => {
  it.each([
    [{}, {}],
    [{ severity: "failed" }, {}],
    [
      { cluster: "east", namespace: "batch" },
      { cluster: "east", namespace: "batch" },
    ],
    [{ team: "billing" }, { labelSelector: "team=billing" }],
    [{ since: "24h" }, { since: "24h" }],
    [{ since: "all" }, { since: "2000-01-01T00:00:00Z" }],
    [{ since: "forever" }, {}],
    [{ since: "constructor" }, {}],
  ])("%j are the API's parameters %j", (address, parameters) => {
    expect(attentionParameters(address)).toEqual(parameters);
  });
});
