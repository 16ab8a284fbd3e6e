import { describe, expect, it } from "vitest";
import { imageFields, type JobImages, unknownOfImages } from "../../../src/explain/compare/job-images.ts";

const none: JobImages = { images: new Map(), digests: new Map() };
const found: JobImages = {
  images: new Map([["work", "0f9e8d7c6b5a"]]),
  digests: new Map([["work", new Set(["a1b2c3d4e5f6"])]]),
};

describe("the images of a Job", () => {
  it("are fields by container", () => {
    expect(imageFields(found).map(({ kind, key }) => [kind, key])).toEqual([
      ["image", "work"],
      ["imageDigest", "work"],
    ]);
  });

  it.each(["expired", "truncated"] as const)("have no digests if facts are %s", (unread) => {
    expect(imageFields({ ...found, unread }).map(({ kind }) => kind)).toEqual(["image"]);
    expect(unknownOfImages({ ...found, unread }, "notObserved")).toEqual({ imageDigest: unread });
  });

  it.each<readonly [JobImages, unknown]>([
    [none, { image: "notRecorded", imageDigest: "inProgress" }],
    [
      { ...none, unread: "expired" },
      { image: "expired", imageDigest: "expired" },
    ],
    [
      { ...none, unread: "truncated" },
      { image: "notRecorded", imageDigest: "truncated" },
    ],
    [found, { imageDigest: "inProgress" }],
  ])("are unknown with a reason: %j", (images, reasons) => {
    expect(unknownOfImages(images, "inProgress")).toEqual(reasons);
  });

  it("have no digests without Pods, whatever the log has", () => {
    expect(unknownOfImages({ ...found, unread: "expired" }, "noPods")).toEqual({ imageDigest: "noPods" });
  });
});
