import { describe, expect, it } from "vitest";
import { ApiReader } from "../../../src/kubernetes/connection/api-reader.ts";
import type { ClusterConnection, ClusterResponse } from "../../../src/kubernetes/connection/cluster-connection.ts";
import { ServerClock } from "../../../src/kubernetes/connection/server-clock.ts";
import { collect } from "../../support/running/collect.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";
import { waitingBody } from "../../support/kubernetes/waiting-body.ts";

const HOUR = 3_600_000;

function openReader(
  response: Partial<ClusterResponse>,
  check: (one: ClusterResponse) => Promise<void> = async () => {},
) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const requests: { path: string; accept: string | undefined; signal: AbortSignal }[] = [];
  const connection: ClusterConnection = {
    server: "https://east:6443",
    get: async (path, { signal, accept }) => {
      requests.push({ path, accept, signal });
      return { status: 200, contentType: "application/json", ...NO_HEADERS, body: waitingBody(), ...response };
    },
    send: async () => expect.fail("A reader sends nothing."),
  };
  const serverClock = new ServerClock(clock);
  const reader = new ApiReader({ connection, clock, serverClock, signal: stop.signal, check });
  return { clock, stop, requests, reader };
}

const NO_HEADERS = { date: undefined, retryAfterMillis: undefined };

describe("a reader of the Kubernetes API", () => {
  it("returns the body in parts, and when the response arrived by the cluster's clock", async () => {
    const date = Date.UTC(2026, 10, 21, 12) + HOUR;
    const { reader, requests } = openReader({ date, body: waitingBody("ab", "c", "end") });
    const { at, chunks } = await reader.open("/api/v1/pods", "application/json");
    expect((await collect(chunks)).map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(["ab", "c"]);
    expect(Math.abs(at - date)).toBeLessThanOrEqual(500);
    expect(requests).toMatchObject([{ path: "/api/v1/pods", accept: "application/json" }]);
  });

  it("says how long it waited for each part", async () => {
    const body = waitingBody("a");
    const { reader, clock } = openReader({ body });
    const { chunks } = await reader.open("/");
    await chunks.next();
    const next = chunks.next();
    await clock.advance(7_000);
    body.push("b");
    expect(await next).toMatchObject({ value: { waitedMillis: 7_000 } });
  });

  it("throws the error of the check, which reads the body, and lets the request go", async () => {
    let text = "";
    const refused = new Error("refused");
    const { reader, clock } = openReader({ body: waitingBody("no", "end") }, async ({ body }) => {
      for await (const bytes of body) text += Buffer.from(bytes).toString();
      throw refused;
    });
    await expect(reader.open("/")).rejects.toBe(refused);
    expect([text, clock.pending]).toEqual(["no", 0]);
  });

  it.each<[string, (reader: ReturnType<typeof openReader>) => unknown]>([
    ["idle", ({ clock }) => clock.advance(30_000)],
    ["superseded", ({ reader }) => reader.supersede()],
    ["stopped", ({ stop }) => stop.abort()],
  ])("gives up a body that does not arrive: %s", async (reason, happens) => {
    const body = waitingBody("a");
    const opened = openReader({ body });
    const { chunks } = await opened.reader.open("/");
    await chunks.next();
    const next = chunks.next();
    const outcome = expect(next).rejects.toMatchObject({ name: "GivenUpError", reason });
    await happens(opened);
    expect(opened.requests[0]?.signal.aborted).toBe(true);
    body.fail(new Error("aborted"));
    await outcome;
    expect(opened.clock.pending).toBe(0);
  });

  it("lets a body go that its reader leaves", async () => {
    const body = waitingBody("a", "b");
    const { reader, clock } = openReader({ body });
    const { chunks } = await reader.open("/");
    for await (const { bytes } of chunks) {
      expect(Buffer.from(bytes).toString()).toBe("a");
      break;
    }
    expect([body.isLeft, clock.pending]).toEqual([true, 0]);
  });
});
