import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/http/create-api.ts";
import { OpenStreams } from "../../../src/http/streams/open-streams.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";
import { encodeFeed } from "../../../src/query/changes/changes-cursor.ts";
import { settled } from "../../support/running/manual-clock.ts";
import { SmallTracker } from "../../support/stores/small-tracker.ts";
import { Story } from "../../support/story/story.ts";

const BEGIN = parseInstant("2026-01-01T00:00:00Z") ?? 0;

/** A server whose clock the test advances. */
function openServer({ streaming = true } = {}) {
  const tracker = new SmallTracker();
  const streams = new OpenStreams({ perReader: 1_000 });
  let now = BEGIN;
  let sleepers: ((more: boolean) => void)[] = [];
  const errors: Error[] = [];
  const app = createApi({
    stores: tracker.stores,
    access: { kind: "inProcess" },
    now: () => now,
    version: "0",
    onError: (error) => errors.push(error),
    ...(streaming && { streams }),
    pause: (_, signal) =>
      new Promise((resolve) => {
        sleepers.push(resolve);
        signal.addEventListener("abort", () => resolve(false));
      }),
  });
  return {
    app,
    ports: tracker.ports,
    streams,
    errors,
    tellOf: (name: string) => {
      const story = new Story(name);
      story.jobCreated();
      return tracker.tell(story.facts, now);
    },
    /** Lets a second pass for those that wait. */
    tick: async (seconds = 1): Promise<void> => {
      now += seconds * 1_000;
      const waking = sleepers;
      sleepers = [];
      for (const wake of waking) wake(true);
      await settled();
    },
  };
}
const SINCE_BEGIN = "/v1/changes?since=2026-01-01T00:00:00Z";
const LISTEN = { headers: { accept: "text/event-stream" } };

type Ports = ReturnType<typeof openServer>["ports"];

/** How many lists of announced changes were read since the call. */
function countedReads({ meta }: Ports): () => number {
  let reads = 0;
  const list = meta.list.bind(meta);
  meta.list = async (kind, ...range) => {
    if (kind === "changes") reads += 1;
    return list(kind, ...range);
  };
  return () => reads;
}

/** Holds back reads of announced changes until the gate is open: those with these numbers. */
function holdReads({ meta }: Ports, gate: Promise<void>, isHeld: (number: number) => boolean): void {
  const list = meta.list.bind(meta);
  let reads = 0;
  meta.list = async (kind, ...range) => {
    const page = await list(kind, ...range);
    if (kind !== "changes") return page;
    reads += 1;
    if (isHeld(reads)) await gate;
    return page;
  };
}

/** Reads events until one of kind `heartbeat`: what came with it, and its id. */
async function nextBatch(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    text += new TextDecoder().decode(value);
    const names = [...text.matchAll(/"namespace":"[^"]+","name":"([^"]+)"/g)].map(([, name]) => name);
    const id = /^id: (.+)$/m.exec(text)?.[1];
    if (done || id !== undefined) return { names, id };
  }
}

function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (response.body === null) throw new Error(`no body: ${response.status}`);
  return response.body.getReader();
}

describe("a stream of changes", () => {
  it("sends changes, and continues after a disconnection where it stopped", async () => {
    const { app, tellOf, tick } = openServer();
    await tellOf("before");
    await tick(60);
    const first = readerOf(await app.request("/v1/changes", LISTEN));
    await tick();
    await tellOf("one");
    await tick();
    const { names, id } = await nextBatch(first);
    expect(names).toEqual(["one"]);
    await first.cancel();
    await tellOf("two");
    await tick(3_600);
    const headers = { ...LISTEN.headers, "last-event-id": id ?? "" };
    const second = readerOf(await app.request("/v1/changes", { headers }));
    expect((await nextBatch(second)).names).toEqual(["two"]);
    await tellOf("three");
    await tick();
    expect((await nextBatch(second)).names).toEqual(["three"]);
  });

  it("has a heartbeat with a cursor while nothing happens", async () => {
    const { app, tellOf, tick } = openServer();
    await tellOf("before");
    const reader = readerOf(await app.request("/v1/changes", LISTEN));
    await tick(20);
    const { id } = await nextBatch(reader);
    expect((await app.request(`/v1/changes?cursor=${id}`)).status).toBe(200);
  });

  it("reads the store once for a thousand listeners", async () => {
    const { app, ports, tellOf, tick, streams } = openServer();
    await tick(60);
    const readers = await Promise.all(
      Array.from({ length: 1_000 }, async () => readerOf(await app.request("/v1/changes", LISTEN))),
    );
    expect(streams.size).toBe(1_000);
    await tellOf("one");
    const reads = countedReads(ports);
    await tick();
    // Two partitions.
    expect(reads()).toBe(2);
    const batches = await Promise.all(readers.map(nextBatch));
    expect(batches.every(({ names }) => names.length === 1)).toBe(true);
    streams.endAll();
    expect(streams.size).toBe(0);
  });

  it("reads old changes once for sixty streams since the same instant", async () => {
    const { app, ports, tellOf, tick } = openServer();
    await tellOf("one");
    await tick(3_600);
    const reads = countedReads(ports);
    const streams = await Promise.all(
      Array.from({ length: 60 }, async () => readerOf(await app.request(SINCE_BEGIN, LISTEN))),
    );
    const batches = await Promise.all(streams.map(nextBatch));
    expect(batches.every(({ names }) => names.join() === "one")).toBe(true);
    await settled();
    // One page for all, of two partitions, and another one for those that joined it.
    expect(reads()).toBe(2 + 2);
  });

  it("gets what another stream was sent live while both read old changes together", async () => {
    const { app, ports, tellOf, tick } = openServer();
    await tellOf("one");
    await tick(60);
    const gate = Promise.withResolvers<void>();
    // The reads of the first page.
    holdReads(ports, gate.promise, (number) => number <= 2);
    const first = readerOf(await app.request(SINCE_BEGIN, LISTEN));
    await settled();
    await tellOf("two");
    await tick();
    const second = readerOf(await app.request(SINCE_BEGIN, LISTEN));
    await settled();
    gate.resolve();
    for (const reader of [first, second]) {
      const names = [...(await nextBatch(reader)).names, ...(await nextBatch(reader)).names];
      expect(names).toEqual(["one", "two"]);
    }
  });

  it("continues if the stream that reads for both ends", async () => {
    const { app, ports, tellOf, tick } = openServer();
    await tellOf("one");
    await tick(60);
    const gate = Promise.withResolvers<void>();
    // The two reads of one reader that may run at a time are occupied, so that others wait.
    holdReads(ports, gate.promise, () => true);
    const hours = ["00", "01"].map((hour) => `/v1/changes?since=2025-12-31T${hour}:00:00Z`);
    await Promise.all(hours.map(async (path) => app.request(path, LISTEN)));
    const ending = readerOf(await app.request(SINCE_BEGIN, LISTEN));
    const other = readerOf(await app.request(SINCE_BEGIN, LISTEN));
    await settled();
    await ending.cancel();
    gate.resolve();
    expect((await nextBatch(other)).names).toEqual(["one"]);
  });

  it("cuts off who never reads", async () => {
    const { app, tellOf, tick, streams } = openServer();
    const response = await app.request("/v1/changes", LISTEN);
    for (let n = 0; n < 600 && streams.size === 1; n += 1) {
      await tellOf(`job-${n}`);
      await tick();
    }
    expect(streams.size).toBe(0);
    await expect(response.text()).rejects.toThrow(/unread/);
  });

  it("stays open while the store fails, and continues when it recovers", async () => {
    const { app, ports, tellOf, tick, errors } = openServer();
    const reader = readerOf(await app.request("/v1/changes", LISTEN));
    await tick();
    const list = ports.meta.list.bind(ports.meta);
    ports.meta.list = async () => {
      throw new Error("The disk failed");
    };
    await tick();
    expect(errors.map(({ message }) => message)).toEqual(["The disk failed"]);
    ports.meta.list = list;
    await tellOf("one");
    await tick();
    expect((await nextBatch(reader)).names).toEqual(["one"]);
  });

  it("is refused with a foreign cursor, and where answers cannot be streamed", async () => {
    const { app } = openServer();
    expect((await app.request("/v1/changes?cursor=abc", LISTEN)).status).toBe(400);
    const whole = await openServer({ streaming: false }).app.request("/v1/changes", LISTEN);
    expect(whole.status).toBe(406);
    expect(await whole.text()).toContain("every 30 seconds");
  });
});

describe("changes page by page", () => {
  it("are refused with 410 after a cursor of more than 35 days before, as a stream too", async () => {
    const { app } = openServer();
    const cursor = encodeFeed({ floor: "2025-11-01T00:00:00.000Z", given: [] });
    const path = `/v1/changes?cursor=${cursor}`;
    for (const answer of [await app.request(path), await app.request(path, LISTEN)]) {
      expect(answer.status).toBe(410);
      expect(await answer.json()).toMatchObject({ type: "urn:outlive:problem:cursor-expired" });
    }
  });

  it("wait for the next change up to waitSeconds", async () => {
    const { app, tellOf, tick } = openServer();
    const asked = app.request("/v1/changes?waitSeconds=25&state=Pending");
    await tick();
    await tellOf("one");
    await tick();
    expect(await (await asked).json()).toMatchObject({ items: [{ job: { name: "one" } }], more: false });
  });

  it("are empty when the time is over, with a cursor to go on from", async () => {
    const { app, tick } = openServer();
    const asked = app.request("/v1/changes?waitSeconds=2");
    await tick();
    await tick();
    await tick();
    expect(await (await asked).json()).toEqual({ items: [], more: false, nextCursor: expect.any(String) as unknown });
  });
});
