// A process of a run: takes messages from a shelf into a database file, beside `outlive serve` on the same file.
// node bench/chaos/consume-queue.ts SHELF_URL DATABASE CLUSTER
import { setTimeout as pause } from "node:timers/promises";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { decodeClusterName } from "../../src/job/model/ids.ts";
import type { ShelfMessage } from "./message-shelf.ts";

const EMPTY_MILLIS = 200;
const [shelf = "", database = "", clusterText = ""] = process.argv.slice(2);
const cluster = decodeClusterName(clusterText);
if (cluster === undefined) throw new Error(`${clusterText} is not the name of a cluster.`);

const embedded = await opened();
for (;;) {
  const messages = await ask<readonly ShelfMessage[]>("receive", []);
  if (messages === undefined || messages.length === 0) await pause(EMPTY_MILLIS);
  else await ingest(embedded, messages);
}

/** The disk may be full, or `serve` may be about to create the file. */
async function opened(): Promise<Embedded> {
  for (;;) {
    try {
      return openEmbedded(database);
    } catch (cause) {
      console.error(cause);
      await pause(1000);
    }
  }
}

/** Deletes what the log has, and what it never takes. The rest comes again. */
async function ingest(embedded: Embedded, messages: readonly ShelfMessage[]): Promise<void> {
  if (cluster === undefined) return;
  const segments = messages.map(({ body }) => ({ cluster, bytes: Buffer.from(body, "base64") }));
  const outcomes = await embedded
    .queue({ now: Date.now, onUnfolded: (causes) => console.error(causes) })
    .send(segments);
  const done = messages.filter((_, n) => outcomes[n]?.outcome !== "unreachable");
  const others = outcomes.filter(({ outcome }) => outcome !== "accepted");
  if (others.length > 0) console.error(others);
  const ids = done.map(({ id }) => id);
  if (ids.length > 0) await ask("delete", ids);
  else await pause(EMPTY_MILLIS);
}

async function ask<Answer>(action: string, body: unknown): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${shelf}/${action}`, { method: "POST", body: JSON.stringify(body) });
    return (await response.json()) as Answer;
  } catch (cause) {
    console.error(cause);
    return undefined;
  }
}
