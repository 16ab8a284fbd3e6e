import { describe, expect, it } from "vitest";
import { cellAsker, VIA_HEADER } from "../../src/cells/ask-cell.ts";

const US = { name: "us", url: "https://us.test/live/" };
const QUESTION = { target: "/v1/jobs?limit=1", headers: new Headers({ accept: "*/*" }), timeoutMillis: 5_000 };
const own = async (target: string) => new Response(target);

describe("a cell at an address", () => {
  it("is asked below its address, with a header that says that it is asked for another", async () => {
    const sent: { url: string; init: RequestInit | undefined }[] = [];
    const ask = cellAsker({
      fetch: async (url, init) => {
        sent.push({ url: String(url instanceof Request ? url.url : url), init });
        return new Response("{}");
      },
      now: () => 0,
    });
    expect((await ask(own)(US, QUESTION)).outcome).toBe("replied");
    expect(sent[0]?.url).toBe("https://us.test/live/v1/jobs?limit=1");
    expect(new Headers(sent[0]?.init?.headers).get(VIA_HEADER)).toBe("1");
    expect(sent[0]?.init?.redirect).toBe("manual");
  });

  it("that is silent rests for ten seconds, and is then asked again", async () => {
    let now = 0;
    let asked = 0;
    const ask = cellAsker({
      fetch: async () => {
        asked += 1;
        throw new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
      },
      now: () => now,
    })(own);
    expect(await ask(US, QUESTION)).toEqual({ outcome: "unavailable", reason: "It cannot be reached (ECONNREFUSED)." });
    now = 9_999;
    expect(await ask(US, QUESTION)).toEqual({ outcome: "unavailable", reason: "It did not reply 10 s ago." });
    expect(asked).toBe(1);
    now = 10_000;
    await ask(US, QUESTION);
    expect(asked).toBe(2);
  });
});

describe("the stage itself", () => {
  it("is asked in this process", async () => {
    const ask = cellAsker({ fetch: () => Promise.reject(new Error("unused")), now: () => 0 })(own);
    const reply = await ask({ name: "eu" }, QUESTION);
    expect(reply.outcome === "replied" && (await reply.response.text())).toBe("/v1/jobs?limit=1");
  });
});
