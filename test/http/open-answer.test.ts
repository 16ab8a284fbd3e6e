import { describe, expect, it } from "vitest";
import { ReaderPlaces } from "../../src/http/access/reader-places.ts";
import { OpenAnswer } from "../../src/http/open-answer.ts";
import { RequestMeter } from "../../src/http/request-meter.ts";
import type { Delivery } from "../../src/http/streams/delivery.ts";
import { rethrow } from "../support/running/rethrow.ts";

const LONG = "a".repeat(100_000);

function openAnswer({ delivery, ...init }: RequestInit & { readonly delivery?: Delivery } = {}) {
  const places = new ReaderPlaces({ unreadBytes: 1, builtAtOnce: 1 });
  const request = new Request("http://localhost/", init);
  const meter = new RequestMeter(undefined);
  const answer = new OpenAnswer({ place: places.take(), request, delivery, meter, onError: rethrow });
  return { answer, places };
}

function openDelivery() {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  return { close, delivery: { closed, unsentBytes: () => 0, abandon: () => undefined } };
}

describe("an answer in progress", () => {
  it("occupies its place until the connection has delivered it", async () => {
    const { delivery, close } = openDelivery();
    const { answer, places } = openAnswer({ delivery });
    await answer.build(async () => new Response("built"));
    expect(places.size).toBe(1);
    close();
    await delivery.closed;
    await Promise.resolve();
    expect(places.size).toBe(0);
  });

  it("ends its place when it cannot be built", async () => {
    const { answer, places } = openAnswer();
    await expect(answer.build(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(places.size).toBe(0);
  });

  it("is not built after the client has left", async () => {
    const { answer } = openAnswer({ signal: AbortSignal.abort() });
    await expect(answer.build(async () => new Response())).rejects.toThrow("The client closed the connection");
  });

  it("states the length of a long text, which is sent in slices", async () => {
    const { answer } = openAnswer(openDelivery());
    const { body, headers } = answer.bodyOf(LONG);
    expect(headers).toEqual({ "content-length": "100000" });
    expect(await new Response(body).text()).toBe(LONG);
  });

  it("is one text where it is sent whole, and where nothing reads it", async () => {
    expect(openAnswer().answer.bodyOf(LONG).body).toBe(LONG);
    const { answer } = openAnswer({ method: "HEAD", ...openDelivery() });
    expect((await answer.bodyOfParts(async () => ({ text: "a", isLast: false }))).body).toBe("");
  });
});
