import { describe, expect, it } from "vitest";
import { isLoopback, listen, parseListen } from "../../../src/host/server/listen.ts";
import { apiWith } from "../../support/http/request-api.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const LOCAL = { host: "127.0.0.1", port: 0 };

describe("a server", () => {
  it("fails if its port is in use", async () => {
    const { app } = await apiWith([]);
    const first = await listen(app, LOCAL);
    const port = Number(new URL(first.url).port);
    await expect(listen(app, { ...LOCAL, port })).rejects.toThrow(/in use.*--listen/);
    await first.close();
  });

  it("finishes running requests before it stops", async () => {
    const { app } = await apiWith([listedJob()]);
    const other = await listen(app, LOCAL);
    const answer = fetch(`${other.url}/v1/jobs`);
    expect((await answer).status).toBe(200);
    await other.close();
    await expect(fetch(`${other.url}/v1/jobs`)).rejects.toThrow(/fetch failed/);
  });
});

describe("an address to listen on", () => {
  it.each([
    ["8080", "127.0.0.1", 8080, true],
    [":0", "127.0.0.1", 0, true],
    ["localhost:1", "localhost", 1, true],
    ["127.0.0.2:80", "127.0.0.2", 80, true],
    ["[::1]:80", "::1", 80, true],
    ["0.0.0.0:80", "0.0.0.0", 80, false],
    ["[::]:80", "::", 80, false],
    ["outlive.example.org:443", "outlive.example.org", 443, false],
    ["127.0.0.1.example.org:80", "127.0.0.1.example.org", 80, false],
  ])("%s is host %s, port %i", (text, host, port, loopback) => {
    expect(parseListen(text)).toEqual({ host, port });
    expect(isLoopback(parseListen(text))).toBe(loopback);
  });

  it.each(["", "host", "host:", "host:99999", "a:b:1"])("%j is rejected with an example", (text) => {
    expect(() => parseListen(text)).toThrow(/HOST:PORT/);
  });
});
