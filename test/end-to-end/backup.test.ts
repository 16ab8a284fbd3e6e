import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { example, runOutlive, scratchFolder, serveOutlive, type Serving } from "../support/running/run-outlive.ts";

const TOKEN = "a-token-of-an-operator";
const folder = scratchFolder();
let serving: Serving;

const outlive = (...args: readonly string[]) =>
  runOutlive(args, { cwd: folder.path, env: { PATH: "/usr/bin:/bin", OUTLIVE_TOKEN: TOKEN } });

beforeAll(async () => {
  const recording = example("deadline.ndjson.gz");
  await outlive("import", "--database", "m.sqlite", "--cluster", "prod", recording);
  serving = await serveOutlive(["serve", "--database", "m.sqlite", "--token", TOKEN, "--listen", "127.0.0.1:0"], {
    cwd: folder.path,
  });
}, 120_000);
afterAll(async () => {
  await serving.stop("SIGTERM");
  await folder.remove();
});

const backUp = (target: string, ...more: readonly string[]) =>
  outlive("backup", target, "--server", serving.url, ...more);

describe("outlive backup of a server", { timeout: 120_000 }, () => {
  it("copies its database into a file, which answers as the server does", async () => {
    expect(await backUp("copy.sqlite")).toMatchObject({ status: 0 });
    const jobs = (...source: readonly string[]) => outlive("jobs", "-A", "-o", "json", ...source);
    const answers = await Promise.all([jobs("--server", serving.url), jobs("--database", "copy.sqlite")]);
    expect(answers[0].stdout).toContain("report-backoff-limit");
    expect(answers[1].stdout).toBe(answers[0].stdout);
    expect(await outlive("verify", "--database", "copy.sqlite")).toMatchObject({ status: 0 });
    expect(statSync(join(folder.path, "copy.sqlite")).mode & 0o777).toBe(0o600);
  });

  it("adds a copy to a folder, and keeps the last ones", async () => {
    const place = join(folder.path, "backups");
    mkdirSync(place);
    for (const day of ["01", "02", "03"]) writeFileSync(join(place, `outlive-202611${day}T021700Z.sqlite`), "");
    const { status, stdout, stderr } = await backUp("backups", "--keep", "2");
    expect({ status, said: stdout + stderr }).toMatchObject({
      status: 0,
      said: expect.stringContaining("Deleted 2 older backups.") as string,
    });
    const [kept, added, ...more] = readdirSync(place).sort();
    expect(kept).toBe("outlive-20261103T021700Z.sqlite");
    expect(added).toMatch(/^outlive-\d{8}T\d{6}Z\.sqlite$/);
    expect(more).toEqual([]);
  });

  it("never deletes the copy that it made, also if another one is of the future", async () => {
    const place = join(folder.path, "future");
    mkdirSync(place);
    const names = ["outlive-20261101T021700Z.sqlite", "outlive-20990101T000000Z.sqlite"];
    for (const name of names) writeFileSync(join(place, name), "");
    expect(await backUp("future", "--keep", "1")).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("Deleted 2 older backups.") as string,
    });
    const kept = readdirSync(place);
    expect(kept).toHaveLength(1);
    expect(names).not.toContain(kept[0]);
  });

  it.each([
    ["without access", ["x.sqlite", "--token", "another"], 2, /not valid for this server/],
    ["if the file exists", ["m.sqlite"], 2, /m\.sqlite: the file exists/],
    ["of how many to keep without a folder", ["x.sqlite", "--keep", "2"], 2, /--keep needs a folder/],
    ["without messages", ["x.sqlite", "--without-messages"], 2, /cannot be used with option '--server/],
  ])("is refused %s", async (_, [target = "", ...args], status, message) => {
    const refused = await backUp(target, ...args);
    expect(refused.stderr).toMatch(message);
    expect(refused.status).toBe(status);
    expect(readdirSync(folder.path)).not.toContain("x.sqlite");
  });
});
