import { describe, expect, it } from "vitest";
import { platformsNamed } from "../../../tools/image/platforms.ts";

describe("the platforms of the image", () => {
  it("have one order, whatever the order of the names", () => {
    const names = platformsNamed(["linux/arm64", "linux/amd64"]).map(({ name }) => name);
    expect(names).toEqual(["linux/amd64", "linux/arm64"]);
  });

  it("include no other", () => {
    expect(() => platformsNamed(["linux/amd64", "linux/riscv64"])).toThrow(
      'Cannot build an image for platform "linux/riscv64". Supported are linux/amd64 and linux/arm64.',
    );
  });
});
