import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { cutImageId, hashedImage, imageDigestOf, imagesOf } from "../../../src/kubernetes/translate/image-hash.ts";

const IMAGE = "registry.example/billing:2026-11";
const HEX = createHash("sha256").update(IMAGE).digest("hex");
const DIGEST = "3fbc632167424a6d997e74f52b878d7cc478225cffac6bc977eedfe51c7f4e79";

describe("the hash of an image", () => {
  it("has the first 12 hex digits of the SHA-256 of its reference", () => {
    expect(hashedImage(IMAGE)).toEqual({ sha256: HEX.slice(0, 12) });
    // printf %s busybox:1.36 | sha256sum | cut -c1-12
    expect(hashedImage("busybox:1.36")).toEqual({ sha256: "ab512471e34f" });
  });

  it("stays the same in a recording", () => {
    expect(hashedImage(hashedImage(IMAGE))).toEqual(hashedImage(IMAGE));
  });

  it.each([undefined, null, "", 7, {}, { sha256: "secret" }, { sha256: 7 }])("is absent for %j", (image) => {
    expect(hashedImage(image)).toBeUndefined();
  });

  it("is in a list of the containers with an image, those that start first in front", () => {
    const podSpec = {
      containers: [{ name: "work", image: IMAGE }, { name: "bare" }, { image: IMAGE }],
      initContainers: [{ name: "fetch", image: "curl:8" }],
    };
    expect(imagesOf(podSpec).images?.map(({ container }) => container)).toEqual(["fetch", "work"]);
    expect(imagesOf({ containers: [{ name: "bare" }] })).toEqual({});
  });
});

describe("the digest in an image id", () => {
  it.each([
    `docker.io/library/busybox@sha256:${DIGEST}`,
    `docker-pullable://busybox@sha256:${DIGEST}`,
    `sha256:${DIGEST}`,
    "sha256:3fbc63216742",
  ])("has 12 hex digits, without registry and name: %s", (imageId) => {
    expect(imageDigestOf(imageId)).toEqual({ imageDigest: "3fbc63216742" });
    expect(cutImageId(imageId)).toBe("sha256:3fbc63216742");
  });

  it.each([undefined, "", "busybox:1.36", "sha256:short", 7])("is absent in %j", (imageId) => {
    expect([imageDigestOf(imageId), cutImageId(imageId)]).toEqual([{}, undefined]);
  });
});
