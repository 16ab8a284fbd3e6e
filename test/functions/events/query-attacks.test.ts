import { describe, expect, it } from "vitest";
import { onRequest } from "../../../functions/events/query-event.ts";
import { tokenGrant } from "../../../src/http/access/token-access.ts";
import { createApi } from "../../../src/http/create-api.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { gatewayEvent } from "../../support/aws/gateway-event.ts";
import { rethrow } from "../../support/running/rethrow.ts";
import { emptyStores, tell } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";

const NOON = Date.parse("2026-01-02T12:00:00Z");

interface Page {
  readonly items: readonly { readonly name: string }[];
  readonly nextCursor?: string;
}

function grants(namespace: string): Scope {
  return { grants: [{ cluster: "east", namespaces: [namespace] }] };
}

/** A stage as its query function serves it, with Jobs in a namespace of each of two readers. */
async function openStage(name: string) {
  const stores = emptyStores();
  for (const namespace of ["mine", "theirs"]) {
    for (let number = 0; number < 3; number += 1) {
      const story = new Story(`${name}-${namespace}-${number}`);
      story.jobCreated({}, { namespace });
      await tell(stores, story.facts);
    }
  }
  const api = createApi({
    ...API_PARTS,
    stores,
    access: { kind: "bearer", tokens: [tokenGrant("mine", grants("mine")), tokenGrant("theirs", grants("theirs"))] },
    now: () => NOON,
    readerLimits: { timeShare: 0.5, now: () => NOON },
    version: "0",
    onError: rethrow,
  });
  return async (path: string, token: string, query: Readonly<Record<string, string>> = {}) => {
    const event = gatewayEvent({ path, queryStringParameters: query, headers: { authorization: `Bearer ${token}` } });
    const { statusCode, headers, body } = await onRequest(api, event);
    const retryAfter = headers?.["retry-after"];
    return { statusCode, retryAfter, bytes: body.length, page: JSON.parse(body) as Page };
  };
}

describe("the query function under attack", () => {
  it("throttles a reader after a burst of 200 requests, also of kubectl, and no other reader", async () => {
    const ask = await openStage("one");
    const statuses: number[] = [];
    for (let request = 0; request < 210; request += 1) statuses.push((await ask("/v1/jobs", "mine")).statusCode);
    expect(statuses).toEqual([...Array.from({ length: 200 }, () => 200), ...Array.from({ length: 10 }, () => 429)]);
    for (const path of ["/v1/jobs", "/apis/batch/v1/jobs"]) {
      expect(await ask(path, "mine")).toMatchObject({ statusCode: 429, retryAfter: "5" });
      expect((await ask(path, "theirs")).statusCode).toBe(200);
    }
  });

  it.each([
    ["a path of 12 KB", `/${"x".repeat(12_000)}`, {}, 414],
    ["a query of 15 KB", "/v1/jobs", { namespace: "x".repeat(15_000) }, 414],
    ["a cursor of 5 KB", "/v1/jobs", { cursor: "x".repeat(5_000) }, 400],
  ])("answers %s briefly", async (_, path, query, status) => {
    const ask = await openStage("one");
    const { statusCode, bytes } = await ask(path, "mine", query);
    expect(statusCode).toBe(status);
    expect(bytes).toBeLessThan(2_000);
  });

  it("shows a reader only its own Jobs, also with the cursor of another reader and another stage", async () => {
    const [one, other] = [await openStage("one"), await openStage("other")];
    const { page } = await one("/v1/jobs", "theirs", { limit: "1" });
    const cursor = page.nextCursor ?? expect.fail("no cursor");
    for (const stage of [one, other]) {
      const { page: next } = await stage("/v1/jobs", "mine", { limit: "500", cursor });
      expect(next.items.filter(({ name }) => !name.includes("-mine-"))).toEqual([]);
    }
    const { page: changes } = await one("/v1/changes", "theirs", { since: "2025-12-31T00:00:00Z", limit: "1" });
    const changed = await other("/v1/changes", "mine", { cursor: changes.nextCursor ?? expect.fail("no cursor") });
    expect(changed.statusCode).toBe(200);
    expect(JSON.stringify(changed.page)).not.toMatch(/theirs|one-/);
  });
});
