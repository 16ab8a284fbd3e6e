import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/http/create-api.ts";
import { OpenStreams } from "../../../src/http/streams/open-streams.ts";
import { tokenGrant } from "../../../src/http/access/token-access.ts";
import { rethrow } from "../../support/running/rethrow.ts";
import { Story } from "../../support/story/story.ts";
import { emptyStores, tell } from "../../support/stores/stores-with-facts.ts";

/** A server with Jobs in two clusters, whose reader may see one namespace of one of them. */
async function openServer() {
  const stores = emptyStores();
  for (const cluster of ["east", "west"]) {
    const story = new Story(`job-of-${cluster}`);
    story.jobCreated({}, { namespace: "mine" });
    await tell(stores, story.facts, { cluster });
  }
  const streams = new OpenStreams();
  let now = Date.parse("2026-01-02T00:00:00Z");
  const app = createApi({
    stores,
    access: { kind: "bearer", tokens: [tokenGrant("reader", { grants: [{ cluster: "east", namespaces: ["mine"] }] })] },
    now: () => now,
    version: "0",
    onError: rethrow,
    streams,
    pause: async (milliseconds, signal) => {
      now += milliseconds;
      await setImmediate();
      return !signal.aborted;
    },
  });
  return { app, streams };
}

async function untilEvents(response: Response, most: number): Promise<string> {
  if (response.body === null) throw new Error(`no body: ${response.status}`);
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let text = "";
  while ((text.match(/^id: /gm)?.length ?? 0) < most) {
    const { value, done } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  await reader.cancel();
  return text;
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => Buffer.from(id ?? "", "base64url").toString());
}

describe("a stream to a reader of one cluster", () => {
  it.each([
    ["from now on", "/v1/changes"],
    ["from the beginning", "/v1/changes?since=2026-01-01T00:00:00Z"],
  ])("%s names no other cluster, not even in the cursors it goes on by", async (_, path) => {
    const { app, streams } = await openServer();
    const headers = { authorization: "Bearer reader", accept: "text/event-stream" };
    const text = await untilEvents(await app.request(path, { headers }), 3);
    expect(idsIn(text).length).toBeGreaterThanOrEqual(3);
    for (const said of [text, ...idsIn(text)]) expect(said).not.toContain("west");
    streams.endAll();
  });
});
