import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SmallDisk } from "../../../bench/chaos/small-disk.ts";
import { waitForRoom } from "../../../src/host/server/wait-for-room.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

const skip = skipWithout(process.getuid?.() === 0 && process.platform === "linux", {
  dependency: "root on Linux",
  untested: "a start on a full disk (a tmpfs is mounted)",
  reason: "the tests run as another user",
});
const listen = { host: "127.0.0.1", port: 0 };

const unexpected = (sentence: string) => expect.unreachable(sentence);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-room-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("waiting for room", () => {
  it.each([
    ["with room", () => join(folder, "o.sqlite")],
    ["in memory", () => ":memory:"],
    ["in a folder that does not exist", () => join(folder, "none", "o.sqlite")],
  ])("ends at once for a database %s", async (_, database) => {
    const stop = new Promise<never>(() => {});
    expect(await waitForRoom({ database: database(), listen, report: unexpected, stop })).toBe(true);
  });

  it.skipIf(skip)("answers that the server is alive and not ready, until it is stopped", async () => {
    const disk = new SmallDisk(join(folder, "disk"), 2);
    try {
      disk.fill();
      const { promise: stop, resolve } = Promise.withResolvers<void>();
      const { promise: said, resolve: report } = Promise.withResolvers<string>();
      const waited = waitForRoom({ database: join(disk.path, "o.sqlite"), listen, report, stop });
      const url = /http:\/\/[^/]+/.exec(await said)?.[0] ?? "";
      const statuses = ["/v1/healthz", "/v1/readyz", "/v1/jobs"].map(async (path) => (await fetch(url + path)).status);
      expect(await Promise.all(statuses)).toEqual([200, 503, 503]);
      resolve();
      expect(await waited).toBe(false);
    } finally {
      disk.unmount();
    }
  });
});
