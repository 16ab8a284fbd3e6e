import { describe, expect, it } from "vitest";
import { define } from "../../../cli/commands/wait.ts";
import { commandOverRuns } from "./runs-of-database.ts";

const wait = commandOverRuns(define);
const ONCE = ["-n", "ml", "--timeout", "0"];

describe("outlive wait, for a run", () => {
  it.each(["complete", "finished"])("succeeds if it is %s", async (goal) => {
    const { stdout, error } = await wait("jobset/train", `--for=${goal}`, ...ONCE, "-o", "name");
    expect([stdout, error]).toEqual(["jobset/train\n", undefined]);
  });

  it("fails if it ended otherwise", async () => {
    const { error } = await wait("jobset/train", "--for=failed", ...ONCE);
    expect(error).toMatchObject({
      exitStatus: 1,
      message: expect.stringMatching(/^jobset\/train is Complete/) as string,
    });
  });

  it.each(["jobset/next", "jobset/none"])("is timed out for %s", async (run) => {
    expect((await wait(run, "--for=complete", ...ONCE)).error).toMatchObject({ exitStatus: 3 });
  });
});
