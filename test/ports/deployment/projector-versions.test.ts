import { describe, expect, it } from "vitest";
import { parseProjectorVersions, projectorVersionsText } from "../../../src/ports/deployment/projector-versions.ts";

describe("versions of projectors", () => {
  it("are two numbers, and are written as they are read", () => {
    expect(parseProjectorVersions("12,9")).toEqual({ project: "12", refold: "9" });
    expect(projectorVersionsText({ project: "12", refold: "9" })).toBe("12,9");
  });

  it.each(["", "12", "12,", "0,9", "12,9,1", "12, 9", "$LATEST,9", "-1,2", "12,live"])("are not %j", (text) => {
    expect(parseProjectorVersions(text)).toBeUndefined();
  });
});
