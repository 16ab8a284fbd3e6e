import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { invalidFile, textOfFile } from "../../../cli/options/settings-file.ts";
import { CommandFailure } from "../../../src/host/command-line/command-failure.ts";

const folder = mkdtempSync(join(tmpdir(), "outlive-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a file of settings", () => {
  it("is read as text", async () => {
    writeFileSync(join(folder, "rules.yaml"), "version: 1\n");
    expect(await textOfFile(join(folder, "rules.yaml"), "Check the path.")).toBe("version: 1\n");
  });

  it("that cannot be read is named with the reason and what to check", async () => {
    const reading = textOfFile(join(folder, "absent.yaml"), "Check --log-links.");
    await expect(reading).rejects.toThrow(CommandFailure);
    await expect(reading).rejects.toThrow(/^Cannot read .*absent\.yaml: ENOENT.*\. Check --log-links\.$/);
  });

  it("that is invalid is reported with every problem and its path", () => {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const failure = invalidFile("rules.yaml", [
      { path: "", message: "Expected an object." },
      { path: "rules.0.name", message: "Expected a name." },
    ]);
    const lines = written.mock.calls.map(([text]) => String(text)).join("");
    written.mockRestore();
    expect(failure.message).toBe("rules.yaml is invalid: correct the 2 problems above.");
    expect(lines).toContain("Expected an object.");
    expect(lines).toContain("rules.0.name: Expected a name.");
  });
});
