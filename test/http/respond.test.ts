import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { problem } from "../../src/http/contract/problem.ts";
import type { Reply } from "../../src/http/contract/route.ts";
import { ReaderPlaces } from "../../src/http/access/reader-places.ts";
import { OpenAnswer } from "../../src/http/open-answer.ts";
import { RequestMeter } from "../../src/http/request-meter.ts";
import { respond } from "../../src/http/respond.ts";
import { rethrow } from "../support/running/rethrow.ts";

async function sent(reply: Reply): Promise<Response> {
  const app = new Hono();
  const place = new ReaderPlaces({ unreadBytes: 1, builtAtOnce: 1 }).take();
  const options = { place, delivery: undefined, meter: new RequestMeter(undefined), onError: rethrow };
  app.get("/", (context) => respond(context, reply, new OpenAnswer({ ...options, request: context.req.raw })));
  return app.request("/");
}

describe("a reply", () => {
  it("with a body is JSON", async () => {
    const response = await sent({ body: { a: 1 } });
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(await response.json()).toEqual({ a: 1 });
  });

  it("with a text has its own media type", async () => {
    const response = await sent({ text: "a 1\n", mediaType: "text/plain; version=0.0.4" });
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4");
    expect(await response.text()).toBe("a 1\n");
  });

  it("that is a problem has its status and its media type", async () => {
    const response = await sent({ problem: problem("too-many-requests", "Wait.") });
    expect([response.status, response.headers.get("content-type")]).toEqual([429, "application/problem+json"]);
  });
});
