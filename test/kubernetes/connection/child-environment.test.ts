import { describe, expect, it } from "vitest";
import { childEnvironment } from "../../../src/kubernetes/connection/child-environment.ts";

describe("the environment of a child process", () => {
  it("is the one of this process, with more variables", () => {
    const { PATH, OUTLIVE_EXAMPLE } = childEnvironment({ OUTLIVE_EXAMPLE: "x" });
    expect(PATH).toMatch(/bin/);
    expect(OUTLIVE_EXAMPLE).toBe("x");
  });
});
