import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

interface Asked {
  readonly token: string | null;
  readonly answer: (status: number) => void;
}

describe("a session, when a request is refused with 401", () => {
  const asked: Asked[] = [];
  const { signal } = new AbortController();

  beforeEach(() => {
    vi.resetModules();
    asked.length = 0;
    vi.stubGlobal("sessionStorage", { getItem: () => "old", setItem: () => undefined, removeItem: () => undefined });
    vi.stubGlobal("fetch", (_: string, { headers }: RequestInit) => {
      const { promise, resolve } = Promise.withResolvers<Response>();
      const token = new Headers(headers).get("authorization");
      asked.push({ token, answer: (status) => resolve(Response.json({}, { status })) });
      return promise;
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("ends, and the request is not repeated", async () => {
    const { request, session } = await loaded();
    const result = request("clusters", {}, signal);
    asked[0]?.answer(401);
    expect(await result).toMatchObject({ outcome: "refused", status: 401 });
    expect(session.value).toBe("refused");
    expect(asked).toHaveLength(1);
  });

  it("goes on if the reader has signed in since, and the request is repeated", async () => {
    const { request, session, signIn } = await loaded();
    const result = request("clusters", {}, signal);
    signIn("new");
    asked[0]?.answer(401);
    await expect.poll(() => asked.map(({ token }) => token)).toEqual(["Bearer old", "Bearer new"]);
    asked[1]?.answer(200);
    expect(await result).toMatchObject({ outcome: "answered" });
    expect(session.value).toBe("open");
  });

  it("goes on after an earlier change, which is refused and not repeated", async () => {
    const { change, session, signIn } = await loaded();
    const result = change("DELETE", "acknowledgements/a", undefined);
    signIn("new");
    asked[0]?.answer(401);
    expect(await result).toMatchObject({ outcome: "refused", status: 401 });
    expect(session.value).toBe("open");
    expect(asked).toHaveLength(1);
  });
});

/** The page's modules read what a browser has. */
async function loaded() {
  const requests = await import("../../../web/api/request.ts");
  const session = await import("../../../web/api/session.ts");
  return { ...requests, ...session };
}
