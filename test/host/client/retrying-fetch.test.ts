import { describe, expect, it } from "vitest";
import { retryingFetch } from "../../../client/retrying-fetch.js";

type Answer = readonly [status: number, headers?: Record<string, string>];

/** A server that gives these answers in order, then 200. Pauses only take note of their length. */
function scripted(answers: readonly Answer[], retries?: number) {
  const pauses: number[] = [];
  let requests = 0;
  const fetchOnce = async (): Promise<Response> => {
    const [status, headers = {}] = answers[requests] ?? [200];
    requests += 1;
    return new Response("body", { status, headers });
  };
  const pause = async (milliseconds: number): Promise<void> => void pauses.push(milliseconds);
  const fetching = retryingFetch(fetchOnce, { pause, random: () => 1, ...(retries !== undefined && { retries }) });
  return { get: () => fetching("http://localhost/v1/jobs"), pauses, requests: () => requests };
}

describe("a request that a busy server refused", () => {
  it("is repeated after growing pauses until it is answered", async () => {
    const { get, pauses } = scripted([[429], [503], [429]]);
    expect((await get()).status).toBe(200);
    expect(pauses).toEqual([250, 500, 1_000]);
  });

  it("is repeated four times at most, and then its answer is returned with its body", async () => {
    const { get, pauses, requests } = scripted(Array.from({ length: 9 }, () => [429]));
    const response = await get();
    expect([response.status, await response.text()]).toEqual([429, "body"]);
    expect(requests()).toBe(5);
    expect(pauses).toEqual([250, 500, 1_000, 2_000]);
  });

  it("is repeated when the server says, in seconds or as a date", async () => {
    const soon = new Date(Date.now() - 1_000).toUTCString();
    const { get, pauses } = scripted([
      [429, { "retry-after": "3" }],
      [429, { "retry-after": soon }],
      [429, { "retry-after": "later" }],
    ]);
    expect((await get()).status).toBe(200);
    expect(pauses).toEqual([3_000, 0, 1_000]);
  });

  it("is not repeated if the server asks for more than half a minute", async () => {
    const { get, requests } = scripted([[503, { "retry-after": "31" }]]);
    expect((await get()).status).toBe(503);
    expect(requests()).toBe(1);
  });

  it("is not repeated if that is not wanted", async () => {
    const { get, requests } = scripted([[429]], 0);
    expect((await get()).status).toBe(429);
    expect(requests()).toBe(1);
  });
});

describe("a request that failed otherwise", () => {
  it.each([400, 401, 404, 500, 502, 504])("is not repeated after %i", async (status) => {
    const { get, requests } = scripted([[status]]);
    expect((await get()).status).toBe(status);
    expect(requests()).toBe(1);
  });
});

const busy = async (): Promise<Response> => new Response(null, { status: 429, headers: { "retry-after": "30" } });

describe("a request that is cancelled", () => {
  it("ends the pause", async () => {
    const abort = new AbortController();
    const answer = retryingFetch(busy)("http://localhost/", { signal: abort.signal });
    abort.abort(new Error("cancelled"));
    await expect(answer).rejects.toThrow("cancelled");
  });
});
