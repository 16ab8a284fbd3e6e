import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { buildImage } from "../../tools/image/build-image.ts";
import { debianSource } from "../../tools/image/debian-source.ts";
import { ImageBuildError } from "../../tools/image/image-build-error.ts";
import { PLATFORMS } from "../../tools/image/platforms.ts";
import { signalInImage, UnpackedImage } from "../support/image/unpacked-image.ts";
import { outputOf, scratchFolder, servedUrl } from "../support/running/run-outlive.ts";
import { skipWithout } from "../support/running/skip-without.ts";

const NODE = ["/usr/local/bin/node"];
const scratch = scratchFolder();
const result = await unpacked();
const skipped = skipWithout(typeof result !== "string", {
  dependency: "the image",
  untested: "its process on a root that is read-only",
  ...(typeof result === "string" && { reason: result }),
});
const image = result as UnpackedImage;
afterAll(async () => {
  if (!skipped) await image.close();
  await scratch.remove();
});

/** The image for this machine, or why there is none. */
async function unpacked(): Promise<UnpackedImage | string> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "the tests do not run as root on Linux";
  if (spawnSync("unshare", ["--mount", "true"]).status !== 0) return "mount namespaces are not available";
  const file = join(scratch.path, "image.tar");
  const platforms = PLATFORMS.filter(({ nodePackage }) => nodePackage.endsWith(process.arch));
  try {
    // Level 9 takes 20 s longer. The drill measures it.
    await buildImage({ platforms, file, debian: debianSource({}), gzipLevel: 1 });
  } catch (error) {
    if (error instanceof ImageBuildError) return error.message;
    throw error;
  }
  return new UnpackedImage(file, scratch.path);
}

describe.skipIf(skipped)("the process of the image", () => {
  it("prints its help without arguments", async () => {
    const { status, stdout } = await image.run();
    expect([status, stdout]).toEqual([0, expect.stringContaining("Usage: outlive [options] [command]")]);
  });

  it("can write to its volume only", async () => {
    const places = ["/var/lib/outlive", "/tmp", "/opt/outlive", "/usr/local/bin", "/etc"];
    const program = `
      const { writeFileSync, rmSync } = require("node:fs");
      for (const place of ${JSON.stringify(places)}) {
        try { writeFileSync(place + "/file", ""); rmSync(place + "/file"); console.log(place); }
        catch ({ code }) { console.log(place, code); }
      }
      console.log(process.getuid(), process.getgid(), process.getgroups(), process.cwd(), process.pid)`;
    const { stdout } = await image.run(["-e", program], NODE);
    expect(stdout.trim().split("\n")).toEqual([
      "/var/lib/outlive",
      "/tmp EROFS",
      "/opt/outlive EROFS",
      "/usr/local/bin EROFS",
      "/etc EROFS",
      "65532 65532 [ 65532 ] /var/lib/outlive 1",
    ]);
  });

  it("imports the examples, serves them as process 1, and ends on SIGTERM", async () => {
    for (const name of ["ttl", "deadline", "phantom-running"]) {
      const imported = await image.run(["import", "--cluster", name, `/opt/outlive/examples/${name}.ndjson.gz`]);
      expect(imported).toMatchObject({ status: 0 });
    }
    const server = image.start(["serve", "--listen", "127.0.0.1:0"]);
    const output = outputOf(server);
    const url = await servedUrl(server, output);
    const ask = ["get", "job/nightly", "-n", "ttl", "--cluster", "ttl", "--server", url];
    const { status, stdout } = await image.run(ask);
    expect([status, stdout]).toEqual([0, expect.stringContaining("Complete")]);
    expect((await fetch(url, { headers: { accept: "text/html" } })).status).toBe(200);
    signalInImage(server, "SIGTERM");
    await once(server, "close");
    expect([server.exitCode, output().stderr]).toEqual([0, expect.not.stringContaining("rror")]);
  });

  it("sorts more than SQLite's memory without a folder for temporary files", async () => {
    const program = `
      const { DatabaseSync } = require("node:sqlite");
      const database = new DatabaseSync("sorted.sqlite");
      database.exec("PRAGMA cache_size = 10; CREATE TABLE t (a)");
      database.exec("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) " +
        "INSERT INTO t SELECT hex(randomblob(20)) FROM n");
      database.exec("CREATE INDEX i ON t (a); VACUUM");
      console.log(database.prepare("SELECT count(*) AS c FROM (SELECT DISTINCT a FROM t ORDER BY a || 'x')").get().c)`;
    expect(await image.run(["-e", program], NODE)).toMatchObject({ status: 0, stdout: "100000\n" });
  });

  it("says what the exporter lacks", async () => {
    const { status, stderr } = await image.run(["export"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("required option '--queue <url>' not specified")]);
  });

  it("has time zones and the certificates of the system", async () => {
    const program = `
      process.env.TZ = "Asia/Tokyo";
      const { getCACertificates } = require("node:tls");
      console.log(new Date(0).getHours(), getCACertificates("system").length > 100)`;
    const env = ["-e", program];
    expect((await image.run(env, NODE)).stdout).toBe("9 true\n");
  });
});

describe.skipIf(skipped)("the files of the image", () => {
  it("include a licence for each part", () => {
    const copyrights = globSync("usr/share/doc/*/*", { cwd: image.root });
    expect(copyrights).toEqual(
      expect.arrayContaining(["gcc-14-base", "libc6", "tzdata"].map((name) => `usr/share/doc/${name}/copyright`)),
    );
    for (const path of [...copyrights, "opt/outlive/THIRD_PARTY_LICENSES.txt"]) {
      expect(statSync(join(image.root, path)).size, path).toBeGreaterThan(300);
    }
  });

  it("list the Debian packages for scanners", () => {
    expect(readFileSync(join(image.root, "var/lib/dpkg/status.d/libc6"), "utf8")).toMatch(/^Package: libc6$/m);
    expect(readFileSync(join(image.root, "etc/os-release"), "utf8")).toContain("VERSION_CODENAME=trixie");
  });

  it("include no shell, and no documentation of the package", () => {
    expect(existsSync(join(image.root, "bin/sh"))).toBe(false);
    expect(globSync("opt/outlive/**/*.md", { cwd: image.root })).toEqual([]);
  });
});
