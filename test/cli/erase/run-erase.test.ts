import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { verifyArchiveIn } from "../../../cli/archive/verify-archive.ts";
import type { EraseFlags } from "../../../cli/erase/erase-flags.ts";
import { runErase } from "../../../cli/erase/run-erase.ts";
import { releaseHold, setHold } from "../../../cli/hold/hold-records.ts";
import { endedJob, EIGHT, HOUR } from "../../support/archive/archive-scene.ts";
import { ErasureScene, NAMES, NAMESPACE, uidOf } from "../../support/erasure/erasure-scene.ts";
import { searchFolder } from "../../support/erasure/search-bytes.ts";

let scene: ErasureScene;
let flags: EraseFlags;
const printed: string[] = [];

beforeAll(async () => {
  scene = new ErasureScene();
  await scene.fill();
  const again = endedJob({ name: "quoll", namespace: NAMESPACE, createdAt: EIGHT });
  const renamed = endedJob({ name: "quoll-2", namespace: NAMESPACE, createdAt: EIGHT });
  const sameName = renamed.map((fact) => (fact.kind === "JobCreated" ? { ...fact, name: "quoll" } : fact));
  await scene.send([...again, ...sameName], EIGHT + 2 * HOUR);
  scene.tracker.close();
  flags = {
    output: "table",
    headers: true,
    color: "never",
    database: scene.database,
    archive: scene.archiveFolder,
    cluster: "east",
    namespace: NAMESPACE,
    reason: "request 12",
  };
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  }
});
afterAll(() => {
  vi.restoreAllMocks();
  scene.tracker = scene.open();
  scene.remove();
});

async function run(job: string | undefined, options: Partial<EraseFlags>): Promise<string> {
  printed.length = 0;
  await runErase(job, { ...flags, ...options });
  return printed.join("");
}

describe("outlive erase", () => {
  it.each<[string, string | undefined, Partial<EraseFlags>, RegExp]>([
    ["without a reason", "job/x", { reason: " " }, /State why with --reason/],
    ["with a reason of a whole page", "job/x", { reason: "x".repeat(1_001) }, /at most 1000/],
    ["of an unknown cluster", "job/x", { cluster: "west" }, /Cluster west is unknown/],
    ["of an unknown Job", "job/x", { yes: true }, /There is no data of Job x/],
    ["of an unknown Job with --dry-run", "job/x", { dryRun: true }, /There is no data of Job x/],
    ["of a name that two Jobs had", "job/quoll", {}, /2 Jobs had the name quoll: .*--uid, or erase all with --all/],
    ["without its archive", `job/${NAMES.job}`, { archive: "" }, /archive/],
    ["without a terminal and --yes", `job/${NAMES.job}`, {}, /Nothing was erased: confirm with --yes/],
    ["of an archive that does not exist", undefined, { archive: "/nonexistent" }, /There is no archive/],
  ])("%s fails, and says what to do", async (_, job, options, message) => {
    await expect(run(job, options)).rejects.toThrow(message);
  });

  it("names an archive that was left out", async () => {
    const { archive: _, ...others } = flags;
    await expect(runErase(`job/${NAMES.job}`, others)).rejects.toThrow("This database has an archive");
  });

  it("counts with --dry-run what it would erase, and changes nothing", async () => {
    expect(await run(`job/${NAMES.job}`, { dryRun: true })).toMatch(/Would erase Job .*: 1 Job \(1 Failed\), 1 Pod, /);
    expect(await run(undefined, { list: true })).toContain("Nothing was erased from this database.");
  });

  it("says with --dry-run that a legal hold would refuse it", async () => {
    const place = { database: scene.database, cluster: "east", namespace: NAMESPACE };
    await setHold("quoll", { ...place, reason: "case 4" });
    await expect(run(undefined, { dryRun: true })).rejects.toThrow(
      /Nothing was erased: .*case 4.*outlive hold release/,
    );
    await releaseHold("quoll", place);
    expect(await run(undefined, { dryRun: true })).toContain("Would erase namespace");
  });

  it("erases one of several Jobs of a name by its uid", async () => {
    const text = await run("job/quoll", { uid: String(uidOf("quoll-2")), yes: true, output: "json" });
    expect(JSON.parse(text)).toMatchObject({ level: "job", stage: "done", counts: { jobs: 1 } });
  });

  it("erases a Job everywhere, lists who did it and why, and the archive is still whole", async () => {
    expect(await run(`job/${NAMES.job}`, { yes: true })).toContain("request 12");
    expect(await searchFolder(scene.stores, [NAMES.job, NAMES.message])).toEqual([]);
    const listed = JSON.parse(await run(undefined, { list: true, output: "json" })) as { readonly items: unknown[] };
    expect(listed.items).toHaveLength(2);
    expect(JSON.stringify(listed)).not.toContain(NAMES.job);
    printed.length = 0;
    await verifyArchiveIn({ archive: scene.archiveFolder }, undefined);
    expect(printed.join("")).toMatch(/segments\/.*: erased by erasures\/.*\.json\. The rest is segments\//);
  });

  it("applies nothing to a database that has all erasures", async () => {
    expect(await run(undefined, { apply: true })).toContain("has all erasures of the archive");
  });
});
