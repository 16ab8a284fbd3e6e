import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Hono } from "hono";
import { problem } from "../../http/contract/problem.ts";
import { respondProblem } from "../../http/respond.ts";
import { type ListenAddress, listen } from "./listen.ts";

/** What SQLite needs to open a database: the index of its write-ahead log, and some pages. */
const ROOM_BYTES = 1024 ** 2;
const LOOK_EVERY_MILLIS = 2_000;
const FULL = "The disk of the database is full. Free some space, or enlarge the volume.";

export interface WaitForRoomOptions {
  /** The file of the database, which need not exist. */
  readonly database: string;
  readonly listen: ListenAddress;
  /** Receives a sentence for the operator. */
  readonly report: (sentence: string) => void;
  readonly stop: Promise<unknown>;
}

/**
 * SQLite cannot open a database on a full disk. If there is no room, this waits for it, and answers requests that the
 * server is alive but not ready: a restart would change nothing. Resolves to false if it was stopped.
 */
export async function waitForRoom({ database, listen: address, report, stop }: WaitForRoomOptions): Promise<boolean> {
  if (hasRoom(database)) return true;
  const server = await listen(waitingApi(), address);
  report(`${FULL} Waiting for it on ${server.url}/.`);
  const stopped = stop.then(() => true);
  try {
    while (!hasRoom(database)) if (await Promise.race([stopped, pause(LOOK_EVERY_MILLIS, false)])) return false;
    return true;
  } finally {
    await server.close();
  }
}

function hasRoom(database: string): boolean {
  if (database === ":memory:") return true;
  try {
    const { bavail, bsize } = statfsSync(dirname(database));
    return bavail * bsize >= ROOM_BYTES;
  } catch (cause) {
    // Opening the database says what is wrong with its folder.
    if (cause instanceof Error && "code" in cause) return true;
    throw cause;
  }
}

function waitingApi(): Hono {
  const app = new Hono();
  app.get("/v1/healthz", (context) => context.json({ status: "ok" }));
  app.notFound((context) => respondProblem(context, problem("not-ready", FULL)));
  return app;
}
