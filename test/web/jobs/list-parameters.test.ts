import { describe, expect, it } from "vitest";
import { SORTS } from "../../../src/query/list/sort-order.ts";
import { apiParameters, listQuestion, listRequest, SERVER_ORDERS } from "../../../web/jobs/list-parameters.ts";

describe("the API's parameters", () => {
  const now = Date.parse("2026-01-02T00:00:30Z");

  it("are those of the address, without those of the page itself", () => {
    expect(apiParameters({ state: "Failed", q: "x", uid: "u" }, now)).toEqual({ state: "Failed" });
  });

  it("stay the same within a minute for a relative time", () => {
    expect(apiParameters({ created: "24h" }, now)).toEqual({ createdAfter: "2025-12-31T23:59:59.999Z" });
    expect(apiParameters({ created: "24h" }, now + 20_000)).toEqual({ createdAfter: "2025-12-31T23:59:59.999Z" });
  });
});

describe("a relative time", () => {
  it.each([["constructor"], ["__proto__"], ["2h"]])("that is no choice is ignored: %s", (created) => {
    expect(apiParameters({ created }, 0)).toEqual({});
  });
});

describe("what a list of Jobs asks for", () => {
  it("is the same for columns and orders that need no further data", () => {
    const asked = { state: "Failed", created: "24h" };
    expect(listQuestion({ ...asked, q: "x", columns: "age,owner", sort: "failedPods", view: "Mine" })).toEqual(asked);
  });

  it.each([
    [{ sort: "-duration" }, { sort: "-duration" }],
    [{ sort: "createdAt" }, { sort: "created" }],
    [{ columns: "name,reserved" }, { usage: "true" }],
    [{ columns: "expectedEnd" }, { expected: "true" }],
    [{ usage: "true" }, {}],
  ])("for %j has %j", (parameters, request) => {
    expect(listRequest(listQuestion(parameters), 0)).toEqual({
      sort: undefined,
      usage: undefined,
      expected: undefined,
      ...request,
    });
  });

  it("knows the orders of the API", () => {
    expect([...SERVER_ORDERS]).toEqual([...SORTS]);
  });
});
