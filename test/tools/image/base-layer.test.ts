import { describe, expect, it } from "vitest";
import { baseLayer } from "../../../tools/image/base-layer.ts";
import type { DebianPackage } from "../../../tools/image/debian-packages.ts";

type Files = DebianPackage["files"];

function file(path: string, text = path): Files[number] {
  return { header: { name: `./${path}`, size: text.length, type: "file" }, data: Buffer.from(text) };
}

function link(path: string, linkname: string, type: "link" | "symlink"): Files[number] {
  return { header: { name: `./${path}`, size: 0, type, linkname } };
}

function layerOf(name: string, ...files: Files) {
  return baseLayer([{ name, control: Buffer.from(`Package: ${name}\n`), files }]);
}

/** What a layer has of a package: path, and text or target. */
function contentOf(name: string, ...files: Files) {
  const without = new Set(baseLayer([]).map(({ path }) => path));
  return layerOf(name, ...files).flatMap((entry) => {
    if (without.has(entry.path) || entry.type === "folder") return [];
    return [[entry.path, entry.type === "file" ? Buffer.from(entry.bytes).toString() : entry.target]];
  });
}

describe("the base layer", () => {
  it("has the libraries of a package that Node needs, its copyright and its name, and nothing else", () => {
    const files = [
      file("usr/lib/aarch64-linux-gnu/libc.so.6"),
      file("usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1"),
      link("usr/lib/ld-linux-aarch64.so.1", "aarch64-linux-gnu/ld-linux-aarch64.so.1", "symlink"),
      file("usr/lib/aarch64-linux-gnu/gconv/BIG5.so"),
      file("usr/lib/aarch64-linux-gnu/libnss_compat.so.2"),
      file("usr/share/doc/libc6/copyright"),
      file("usr/share/doc/libc6/changelog.gz"),
    ];
    expect(contentOf("libc6", ...files)).toEqual([
      ["usr/lib/aarch64-linux-gnu/libc.so.6", "usr/lib/aarch64-linux-gnu/libc.so.6"],
      ["usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1", "usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1"],
      ["usr/lib/ld-linux-aarch64.so.1", "aarch64-linux-gnu/ld-linux-aarch64.so.1"],
      ["usr/share/doc/libc6/copyright", "usr/share/doc/libc6/copyright"],
      ["var/lib/dpkg/status.d/libc6", "Package: libc6\n"],
    ]);
  });

  it("has hard links as files of their own", () => {
    const files = [
      file("usr/share/zoneinfo/UTC", "zone"),
      link("usr/share/zoneinfo/Zulu", "./usr/share/zoneinfo/UTC", "link"),
    ];
    expect(contentOf("tzdata", ...files)).toContainEqual(["usr/share/zoneinfo/Zulu", "zone"]);
  });

  it("refuses what a layer cannot have", () => {
    const device = { header: { name: "./usr/share/zoneinfo/null", size: 0, type: "fifo" } } as const;
    expect(() => layerOf("tzdata", device)).toThrow(
      "Package tzdata has usr/share/zoneinfo/null as fifo: not supported.",
    );
  });

  it("joins the certificates in order of names, whatever the order of the package", () => {
    const [first, second] = ["a", "b"].map((name) =>
      file(`usr/share/ca-certificates/mozilla/${name}.crt`, `${name}\n`),
    );
    if (first === undefined || second === undefined) throw new Error("There are two.");
    const joined = layerOf("ca-certificates", second, first).find(({ path }) => path.startsWith("etc/ssl"));
    expect(joined).toMatchObject({ path: "etc/ssl/certs/ca-certificates.crt", bytes: Buffer.from("a\nb\n") });
  });

  it("gives the working folder to the user, and no other", () => {
    const owned = baseLayer([]).filter((entry) => entry.type === "folder" && entry.owner !== 0);
    expect(owned).toEqual([{ type: "folder", path: "var/lib/outlive", mode: 0o755, owner: 65_532 }]);
  });
});
