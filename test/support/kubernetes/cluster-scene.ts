import { afterEach, beforeEach } from "vitest";
import { FakeApiServer } from "./fake-api-server.ts";
import { ManualClock } from "../running/manual-clock.ts";

/** When each test begins. */
export const NOW = Date.UTC(2026, 10, 21, 12);

/** Each test of a file that imports this has a clock of its own, and an API server that goes by it. */
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

/** Ends what runs against the server before that is closed. */
export function atEnd(end: () => Promise<void>): void {
  endings.push(end);
}

/** The clock goes on by as long as a retry waits, here never spread. */
export async function retry(milliseconds: number): Promise<void> {
  await clock.armed(milliseconds);
  await clock.advance(milliseconds);
}
