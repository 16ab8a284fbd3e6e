import { describe, expect, it } from "vitest";
import { failForUnknownPlace } from "../../../cli/query/unknown-place.ts";
import type { ApiClient } from "../../../src/host/client/api-client.ts";

const clusters = [
  { name: "node", namespaces: ["batch", "payments"] },
  { name: "prod-eu", namespaces: ["render"] },
];

/** An API that knows these clusters, as far as its reader may see them. */
const api: ApiClient = {
  name: "test",
  close: () => Promise.resolve(),
  request: () => Promise.resolve(Response.json({ items: clusters })),
};

describe("a query that finds nothing", () => {
  it.each([
    [{ cluster: "nope" }, 'There is no cluster "nope". Did you mean "node"?'],
    [{ cluster: "staging" }, 'There is no cluster "staging". "outlive clusters" lists those that are known.'],
    [{ namespace: "paymnts" }, 'No Job was observed in namespace "paymnts". Did you mean "payments"?'],
    [
      { cluster: "prod-eu", namespace: "batch" },
      'No Job was observed in namespace "batch" of cluster "prod-eu". ' +
        '"outlive clusters -o json" lists those that are known.',
    ],
  ])("fails where the place is unknown: %j", async (place, message) => {
    await expect(failForUnknownPlace(api, place)).rejects.toMatchObject({ exitStatus: 3, message });
  });

  it.each([
    {},
    { cluster: "node" },
    { namespace: "render" },
    { namespace: "default" },
    { cluster: "node", namespace: "batch" },
  ])("is an answer where the place is known: %j", async (place) => {
    await expect(failForUnknownPlace(api, place)).resolves.toBeUndefined();
  });
});
