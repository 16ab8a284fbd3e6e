import { describe, expect, it } from "vitest";
import type { ClusterResponse } from "../../../src/kubernetes/connection/cluster-connection.ts";
import { checkResponse, ResponseProblem } from "../../../src/kubernetes/connection/response-problem.ts";
import { kindOf, type WatchedResource } from "../../../src/kubernetes/connection/watched-resource.ts";

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function response(status: number, body = "{}", contentType = "application/json"): ClusterResponse {
  return { status, contentType, date: undefined, retryAfterMillis: 2000, body: bodyOf(body) };
}

function check(answer: ClusterResponse, resource: WatchedResource = "pods", namespace?: string): Promise<void> {
  return checkResponse(answer, {
    server: "https://c",
    resource: kindOf(resource),
    ...(namespace !== undefined && { namespace }),
  });
}

describe("a response of the API server", () => {
  it("is accepted with status 200 and JSON", async () => {
    await expect(check(response(200, "{}", "application/json;stream=watch"))).resolves.toBeUndefined();
  });

  it.each([
    [401, "{}", /refused the credentials \(401\)/],
    [403, '{"message":"pods is forbidden"}', /access denied \(403\).*resources: \["pods"\].*in a ClusterRole\.$/],
    [403, '{"message":"User \\"system:anonymous\\""}', /without credentials \(403\)/],
    [404, '{"message":"not here"}', /does not serve pods \(404\)\. Its message: not here$/],
    [410, "{}", /no longer has this state of pods \(410\)\.$/],
    [429, "{}", /overloaded \(429\)/],
    [503, "{}", /failed to serve pods \(503\)\.$/],
    [503, "<html>", /failed to serve pods \(503\)\.$/],
  ])("with status %d and body %s is a problem", async (status, body, message) => {
    const problem = await check(response(status, body)).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ResponseProblem);
    const expected = { status, retryAfterMillis: 2000, message: expect.stringMatching(message) as unknown };
    expect(problem).toMatchObject(expected);
  });

  it.each([
    ["pods", "failed to serve pods in namespace night (503)."],
    ["nodes", "failed to serve nodes (503)."],
  ] as const)("names the namespace only where %s have one", async (resource, said) => {
    await expect(check(response(503), resource, "night")).rejects.toThrow(said);
  });

  it("repeats at most 256 characters of its message", async () => {
    const problem = await check(response(503, JSON.stringify({ message: "x".repeat(300) }))).catch(String);
    expect(problem).toMatch(/[^x]x{256}$/);
  });

  it.each([
    ["text/html", /sent text\/html instead of JSON \(200\)/],
    ["", /sent no content type instead of JSON/],
  ])("with content type '%s' names a proxy as a possible cause", async (contentType, message) => {
    await expect(check(response(200, "<html>", contentType))).rejects.toThrow(message);
  });

  it.each([
    ["pods", "in a Role in night."],
    ["nodes", "in a ClusterRole."],
  ] as const)("denies %s with the rule for its scope", async (resource, end) => {
    await expect(check(response(403), resource, "night")).rejects.toThrow(end);
  });
});
