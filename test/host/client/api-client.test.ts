import { describe, expect, it } from "vitest";
import { type ApiClient, getItems, getJson, tryGetJson } from "../../../src/host/client/api-client.ts";
import { ApiError, NotFoundError } from "../../../src/host/client/api-error.ts";

interface Served {
  readonly api: ApiClient;
  readonly paths: string[];
}

/** An API that returns these responses, one after the other. */
function serving(...responses: readonly Response[]): Served {
  const paths: string[] = [];
  const rest = [...responses];
  const request = async (path: string): Promise<Response> => {
    paths.push(path);
    return rest.shift() ?? Response.error();
  };
  return { api: { name: "https://api", request, close: async () => {} }, paths };
}

function problem(status: number, detail: string): Response {
  return Response.json({ type: "about:blank", title: "A title", status, detail }, { status });
}

describe("a request to the API", () => {
  it("returns the body, and sends only parameters that are set", async () => {
    const { api, paths } = serving(Response.json({ a: 1 }));
    expect(await getJson(api, "/v1/jobs", { cluster: "a b", namespace: undefined, limit: 5 })).toEqual({ a: 1 });
    expect(paths).toEqual(["/v1/jobs?cluster=a+b&limit=5"]);
  });

  it("throws a problem with its detail and status", async () => {
    const refused = getJson(serving(problem(400, "Correct it.")).api, "/v1/jobs");
    await expect(refused).rejects.toMatchObject({ name: "ApiError", message: "Correct it.", status: 400 });
  });

  it("throws its own error for status 404", async () => {
    await expect(getJson(serving(problem(404, "No such Job.")).api, "/v1/jobs")).rejects.toThrow(NotFoundError);
  });

  it("can return a problem instead", async () => {
    expect(await tryGetJson(serving(problem(400, "Correct it.")).api, "/")).toMatchObject({
      outcome: "refused",
      problem: { detail: "Correct it." },
    });
  });

  it.each([
    ["no JSON", new Response("<html>"), /did not answer with JSON/],
    ["a status without a reason", Response.json({}, { status: 502 }), /answered 502 without a reason/],
    ["an error of API Gateway", Response.json({ message: "Forbidden" }, { status: 403 }), /Set --api-key/],
  ])("fails where the response is %s", async (_, response, message) => {
    const failing = getJson(serving(response).api, "/");
    await expect(failing).rejects.toThrow(ApiError);
    await expect(failing).rejects.toThrow(message);
  });
});

function page(items: readonly number[], nextCursor?: string): Response {
  return Response.json({ items, nextCursor });
}

describe("a list of the API", () => {
  it("is read page by page until its end", async () => {
    const { api, paths } = serving(page([1, 2], "c"), page([3]));
    expect(await getItems(api, "/v1/jobs", {})).toEqual({ items: [1, 2, 3], more: false });
    expect(paths).toEqual(["/v1/jobs?limit=500", "/v1/jobs?limit=500&cursor=c"]);
  });

  it("is read up to the limit, and says that there is more", async () => {
    const { api, paths } = serving(page([1, 2], "c"), page([3], "d"));
    expect(await getItems(api, "/v1/jobs", { limit: 3 })).toEqual({ items: [1, 2, 3], more: true });
    expect(paths[1]).toBe("/v1/jobs?limit=1&cursor=c");
  });

  it("fails where the response is no list", async () => {
    await expect(getItems(serving(Response.json({})).api, "/", {})).rejects.toThrow(/did not answer with a list/);
  });
});
