import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TAKEN_FILES } from "../../../tools/image/base-layer.ts";
import { debianPackage, type PackageLock, readPackageLock } from "../../../tools/image/debian-packages.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

const scratch = scratchFolder();
const asked: string[] = [];
/** What the server has: content by path. */
const served = new Map<string, Uint8Array>();
let server: Server;
let address = "";

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const body = served.get(url);
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await scratch.remove();
});

const lock: PackageLock = { release: "trixie", renewedAt: "20261129T000000Z", packages: { amd64: [], arm64: [] } };

function locked(name: string, content: Uint8Array) {
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { name, version: "1+2", path: `debian/pool/main/${name}_1+2_all.deb`, sha256 };
}

function source({ mirror = `${address}/mirror`, cache = "cache" }) {
  return { mirror, snapshots: `${address}/snapshots`, cache: join(scratch.path, cache) };
}

/** A small package, made by dpkg-deb. */
function packed(name: string): Uint8Array {
  const folder = join(scratch.path, name);
  mkdirSync(join(folder, "DEBIAN"), { recursive: true });
  mkdirSync(join(folder, "etc"));
  const fields = {
    Package: name,
    Version: "1+2",
    Architecture: "all",
    Maintainer: "a <a@example.org>",
    Description: "d",
  };
  const control = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`);
  writeFileSync(join(folder, "DEBIAN/control"), control.join(""));
  writeFileSync(join(folder, "etc/file"), "text");
  execFileSync("dpkg-deb", ["--root-owner-group", "--build", folder, `${folder}.deb`], { stdio: "ignore" });
  return readFileSync(`${folder}.deb`);
}

describe("the lock file of Debian packages", () => {
  it("pins every package of the image for each platform, from no mirror in particular", async () => {
    const { packages } = await readPackageLock();
    for (const list of Object.values(packages)) {
      expect(list.map(({ name }) => name).toSorted()).toEqual(Object.keys(TAKEN_FILES).toSorted());
      for (const { path, sha256 } of list) {
        expect(path).toMatch(/^debian(-security)?\/pool\/[\w./+~-]+\.deb$/);
        expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      }
    }
  });
});

describe("a Debian package that cannot be downloaded", () => {
  it("names each address that was tried, the reason, and what to do", async () => {
    const missing = debianPackage(locked("gone", Buffer.from("")), lock, source({}));
    await expect(missing).rejects.toThrow(
      `Cannot download a Debian package. ${address}/mirror/debian/pool/main/gone_1%2B2_all.deb: status 404; ` +
        `${address}/snapshots/archive/debian/20261129T000000Z/pool/main/gone_1%2B2_all.deb: status 404. Set ` +
        "OUTLIVE_DEBIAN_MIRROR to the address of a mirror, or run",
    );
  });

  it("says that a mirror cannot be reached", async () => {
    const missing = debianPackage(locked("gone", Buffer.from("")), lock, source({ mirror: "http://127.0.0.1:1" }));
    await expect(missing).rejects.toThrow(/127\.0\.0\.1:1\/debian\S+: (connect ECONNREFUSED|bad port)/);
  });
});

const hasDpkg = spawnSync("dpkg-deb", ["--version"]).status === 0;
const withoutDpkg = skipWithout(hasDpkg, { dependency: "dpkg", untested: "reading of Debian packages" });

describe.skipIf(withoutDpkg)("a Debian package", () => {
  it("comes from the snapshots when the mirror has a newer version only", async () => {
    const bytes = packed("older");
    served.set("/snapshots/archive/debian/20261129T000000Z/pool/main/older_1%2B2_all.deb", bytes);
    const { control, files } = await debianPackage(locked("older", bytes), lock, source({}));
    expect(asked).toContain("/mirror/debian/pool/main/older_1%2B2_all.deb");
    expect(Buffer.from(control).toString()).toContain("Package: older\n");
    const file = files.find(({ header }) => header.name === "./etc/file");
    expect(Buffer.from(file?.data ?? []).toString()).toBe("text");
  });

  it("is refused if its checksum differs", async () => {
    served.set("/mirror/debian/pool/main/changed_1%2B2_all.deb", packed("changed"));
    const changed = debianPackage(locked("changed", Buffer.from("other")), lock, source({}));
    await expect(changed).rejects.toThrow(/checksum of changed_1\+2_all\.deb differs/);
  });

  it("is refused if it is none", async () => {
    const bytes = Buffer.from("not a package");
    served.set("/mirror/debian/pool/main/none_1%2B2_all.deb", bytes);
    await expect(debianPackage(locked("none", bytes), lock, source({}))).rejects.toThrow(/Cannot read --fsys-tarfile/);
  });
});
