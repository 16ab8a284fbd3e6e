import { afterEach, beforeEach } from "vitest";
import { FakeApiServer } from "./fake-api-server.ts";
import { ManualClock } from "../running/manual-clock.ts";

/** The start time of each test. */
export const NOW = Date.UTC(2026, 10, 21, 12);

/** Gives each test of a file a clock, and an API server that uses it. */
export let clock: ManualClock;
export let server: FakeApiServer;
const endings: (() => Promise<void>)[] = [];

beforeEach(async () => {
  clock = new ManualClock(NOW);
  server = await FakeApiServer.open({ clock });
});
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  await server.close();
});

/** Ends the clients of the server before it is closed. */
export function atEnd(end: () => Promise<void>): void {
  endings.push(end);
}

/** Advances the clock by the delay of a retry, without jitter. */
export async function retry(milliseconds: number): Promise<void> {
  await clock.armed(milliseconds);
  await clock.advance(milliseconds);
}
