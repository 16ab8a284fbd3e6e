import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writePlan } from "../../../cli/init/write-plan.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

const FILES = [
  { path: "run.sh", text: "#!/bin/sh\n", isProgram: true },
  { path: "deep/values.yaml", text: "a: 1\n" },
];

describe("the files of a plan", () => {
  it("are written into a new folder, programs as programs", async () => {
    const folder = join(scratch.path, "new");
    expect(await writePlan(FILES, { folder })).toEqual([join(folder, "run.sh"), join(folder, "deep/values.yaml")]);
    expect(readFileSync(join(folder, "deep/values.yaml"), "utf8")).toBe("a: 1\n");
    expect(statSync(join(folder, "run.sh")).mode & 0o111).not.toBe(0);
    expect(statSync(join(folder, "deep/values.yaml")).mode & 0o111).toBe(0);
  });

  it("are not written at all if one exists, unless it may be replaced", async () => {
    const folder = join(scratch.path, "used");
    mkdirSync(join(folder, "deep"), { recursive: true });
    writeFileSync(join(folder, "deep/values.yaml"), "mine: 1\n");
    await expect(writePlan(FILES, { folder })).rejects.toThrow(/^Nothing was written: .*deep\/values\.yaml exists\./);
    expect(existsSync(join(folder, "run.sh"))).toBe(false);
    expect(readFileSync(join(folder, "deep/values.yaml"), "utf8")).toBe("mine: 1\n");
    await writePlan(FILES, { folder, force: true });
    expect(readFileSync(join(folder, "deep/values.yaml"), "utf8")).toBe("a: 1\n");
  });
});
