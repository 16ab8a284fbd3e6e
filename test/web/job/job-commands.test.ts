import { describe, expect, it } from "vitest";
import { jobCommands } from "../../../web/job/job-commands.ts";

describe("the commands of a Job's page", () => {
  it("name this Job and this server", () => {
    const [get] = jobCommands(
      { cluster: "east", namespace: "batch", name: "report", uid: "u-1" },
      "http://127.0.0.1:8080",
    );
    expect(get).toBe("outlive get job/report -n batch --cluster east --uid u-1 -o yaml --server http://127.0.0.1:8080");
  });

  it("quote a hostile name as one word of the shell", () => {
    const [, why] = jobCommands({ cluster: "east", namespace: "batch", name: "a'; rm -rf $HOME" }, "http://h");
    expect(why).toContain(`'job/a'\\''; rm -rf $HOME'`);
  });
});
