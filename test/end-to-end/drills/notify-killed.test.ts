import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { outboxStatus } from "../../../src/notify/outbox/outbox-status.ts";
import { type HookServer, startHookServer } from "../../support/notify/hook-server.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const PROCESS = fileURLToPath(new URL("notify-in-process.ts", import.meta.url));
const scratch = scratchFolder();
let server: HookServer;
beforeAll(async () => {
  server = await startHookServer();
});
afterAll(async () => {
  await server.close();
  await scratch.remove();
});

/** The claim of a process that was killed ends after two minutes. */
const AFTER_CLAIM_MILLIS = 120_000;

/** Runs the process on a database. Returns the steps that it took, or nothing if it was killed. */
async function run(database: string, killAt: number | "never", ahead = 0): Promise<number | undefined> {
  const child = spawn(process.execPath, [PROCESS, database, server.url, String(killAt), String(ahead)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let steps = "";
  child.stdout.on("data", (text: Buffer) => {
    steps += text.toString();
  });
  const [status, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  if (signal === "SIGKILL") return undefined;
  expect(status).toBe(0);
  return Number(steps);
}

describe("a notification whose process is killed with -9", () => {
  it("is delivered with one identity, whichever step it was killed at", async () => {
    const database = join(scratch.path, "never.sqlite");
    const steps = (await run(database, "never")) ?? 0;
    expect(steps).toBeGreaterThan(10);
    for (let killAt = 0; killAt < steps; killAt += 1) {
      const before = server.received.length;
      const file = join(scratch.path, `${killAt}.sqlite`);
      expect(await run(file, killAt)).toBeUndefined();
      // The exporter sends its segments again, as it does until the tracker has accepted them.
      await run(file, "never", AFTER_CLAIM_MILLIS);
      const bodies = new Set(server.received.slice(before).map(({ body }) => body));
      expect([killAt, ...bodies].length).toBe(2);
      const embedded = openEmbedded(file);
      const { receivers } = await outboxStatus(embedded.meta, 10);
      expect(receivers).toMatchObject([{ delivered: 1, waiting: 0, dead: 0 }]);
      embedded.close();
    }
    expect([...server.effects().keys()]).toEqual(["charge/1/failures/hook"]);
  });
});
