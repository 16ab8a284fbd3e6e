import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { scratchFolder, serveOutlive } from "./run-outlive.ts";

describe("a scratch folder", () => {
  it("stops the processes that were left running there", async () => {
    const scratch = scratchFolder();
    onTestFinished(() => scratch.remove());
    const { url } = await serveOutlive(["serve", "--listen", "127.0.0.1:0"], { cwd: scratch.path });
    await scratch.remove();
    expect(existsSync(scratch.path)).toBe(false);
    await expect(fetch(`${url}/v1/healthz`)).rejects.toThrow(/fetch failed/);
  });
});
