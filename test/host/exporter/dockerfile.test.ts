import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const lines = readFileSync(join(root, "exporter/Dockerfile"), "utf8").split("\n");
const security = readFileSync(join(root, "SECURITY.md"), "utf8");

/** The default image of each argument before the first stage. */
const defaults = new Map(
  lines
    .slice(
      0,
      lines.findIndex((line) => line.startsWith("FROM ")),
    )
    .flatMap((line) => [...line.matchAll(/^ARG (?<name>\w+)=(?<image>\S+)$/g)])
    .map(({ groups }) => [groups?.["name"] ?? "", groups?.["image"] ?? ""] as const),
);

describe("the image definition of the exporter", () => {
  it("takes every base image from an argument, so that a build can name it by digest", () => {
    const bases = lines.flatMap((line) => /^FROM (?:--\S+ )*(?<image>\S+)/.exec(line)?.groups?.["image"] ?? []);
    expect(bases).toHaveLength(2);
    expect(bases.filter((base) => !defaults.has(base.replace(/^\$\{(\w+)\}$/, "$1")))).toEqual([]);
  });

  it("downloads no other image: no frontend, and copies from its own stages only", () => {
    expect(lines.filter((line) => /^#\s*syntax\s*=/i.test(line))).toEqual([]);
    const stages = lines.flatMap((line) => /^FROM .* AS (?<stage>\S+)$/.exec(line)?.groups?.["stage"] ?? []);
    const sources = lines.flatMap((line) => /\bfrom=(?<source>[^\s,]+)/.exec(line)?.groups?.["source"] ?? []);
    expect(sources.filter((source) => !stages.includes(source))).toEqual([]);
  });

  it("has a command in SECURITY.md that pins each argument to a digest of its default image", () => {
    expect([...defaults.keys()]).toEqual(["BUILD_IMAGE", "RUNTIME_IMAGE"]);
    for (const [argument, image] of defaults) {
      expect(security).toContain(`docker buildx imagetools inspect ${image} --format '{{.Manifest.Digest}}'`);
      const [repository] = image.split(":");
      const pinned = new RegExp(`--build-arg ${argument}=(?<name>[^@\\s]+)@sha256:`).exec(security);
      expect([image, repository]).toContain(pinned?.groups?.["name"]);
    }
  });
});
