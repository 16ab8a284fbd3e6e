import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyEvidenceIn } from "../../../cli/archive/verify-evidence.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-evidence-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a file to verify", () => {
  it("has the form of evidence", async () => {
    const file = join(folder, "other.json");
    writeFileSync(file, '{"format":"other"}');
    await expect(verifyEvidenceIn(file, undefined)).rejects.toThrow("is no evidence of a Job");
  });
});
