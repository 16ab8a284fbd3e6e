import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { verifyEvidenceIn } from "../../../cli/archive/verify-evidence.ts";
import { writeEvidence } from "../../../cli/archive/write-evidence.ts";
import { getJson } from "../../../src/host/client/api-client.ts";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";

let folder: string;
let file: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-evidence-"));
  file = join(folder, "report.json");
  printed = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

async function evidence(hasArchive = true): Promise<unknown> {
  const { tracker, store } = await archivedScene();
  const api = inProcessClient({ ...tracker.stores, ...(hasArchive && { archive: store }) }, "test");
  return getJson(api, "/v1/clusters/east/namespaces/shop/jobs/report/evidence");
}

async function archivedScene(): Promise<ArchiveScene> {
  const scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
  await scene.archive(EIGHT + HOUR + 10 * MINUTE);
  return scene;
}

describe("a file of evidence", () => {
  it("is verified before it is written, and later without the archive", async () => {
    await writeEvidence(await evidence(), file);
    expect(printed.join("")).toMatch(
      /^Wrote 11 facts and 1 manifest to .*report\.json\. Its SHA-256 is [0-9a-f]{64}\./,
    );
    await verifyEvidenceIn(file, undefined);
    expect(printed.join("")).toMatch(/Verified 11 facts about Job shop\/report .* no problems\. It is Complete\./);
  });

  it("fails where a part was changed, and names it", async () => {
    await writeEvidence(await evidence(), file);
    const changed = readFileSync(file, "utf8").replace('"exitCode":0,"finishedAt":1', '"exitCode":1,"finishedAt":1');
    writeFileSync(file, changed);
    await expect(verifyEvidenceIn(file, undefined)).rejects.toThrow("has 1 problem");
    expect(printed.join("")).toMatch(/fact \d+ \(ContainerEnded\): changed\./);
  });

  it("does not replace another file", async () => {
    writeFileSync(file, "mine");
    await expect(writeEvidence(await evidence(), file)).rejects.toThrow(/Cannot write .*Name a new file/);
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  it("is not written if the API answered with something else", async () => {
    await expect(writeEvidence({}, file)).rejects.toThrow("did not answer with evidence");
    expect(existsSync(file)).toBe(false);
  });

  it("cannot be exported from an API without an archive", async () => {
    await expect(evidence(false)).rejects.toThrow("This API has no archive");
  });

  it("is not another file", async () => {
    writeFileSync(file, "{}");
    await expect(verifyEvidenceIn(file, undefined)).rejects.toThrow("is no evidence of a Job");
  });
});
