import { describe, expect, it } from "vitest";
import { tokenGrant } from "../../../src/http/access/token-access.ts";
import { readGrants } from "../../../src/query/access/grant-text.ts";
import { apiOver } from "../../support/http/request-api.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

const YEARS = "/v1/nodes?since=2000-01-01T00:00:00Z";

describe("a report about nodes", async () => {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  story.podStarted("a", "node-a");
  story.containerEnded("a", 1, 5);
  story.podTerminated("a", "Failed");
  const stores = await storesWithFacts(story.facts);

  const answerTo = (grants: readonly string[], query = "") => {
    const tokens = [tokenGrant("reader", readGrants(grants).scope)];
    return apiOver(stores, { kind: "bearer", tokens }).ask(`${YEARS}${query}`, {
      headers: { authorization: "Bearer reader" },
    });
  };

  it.each([[["*"]], [["east/*"]], [["east/*", "west/default"]]])(
    "is for readers of the cluster: %j",
    async (grants) => {
      const { status, body } = await answerTo(grants);
      expect(status).toBe(200);
      expect(body).toMatchObject({ pods: 1, failed: 1, items: [{ cluster: "east", node: "node-a" }] });
    },
  );

  it.each([
    ["one namespace", ["east/default"], ""],
    ["one namespace, asked about its cluster", ["east/default", "west/*"], "&cluster=east"],
    ["one namespace, asked about it", ["east/default"], "&namespace=default"],
  ])("is refused to readers of %s", async (_, grants, query) => {
    const { status, body } = await answerTo(grants, query);
    expect([status, (body as { readonly detail: string }).detail]).toEqual([
      403,
      "A report about nodes needs read access to a whole cluster: the grant CLUSTER/*.",
    ]);
  });

  it("does not count Pods of a cluster that the reader sees in part", async () => {
    expect((await answerTo(["east/default", "west/*"])).body).toMatchObject({ pods: 0, items: [] });
  });

  it("answers about a cluster that the reader may not see as about one that does not exist", async () => {
    const [hidden, unknown] = [await answerTo(["west/*"], "&cluster=east"), await answerTo(["west/*"], "&cluster=no")];
    expect(hidden.status).toBe(200);
    expect({ ...(hidden.body as object), since: "" }).toEqual({ ...(unknown.body as object), since: "" });
  });
});
