import { execFileSync } from "node:child_process";
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

  it.each([
    ["ends the paste of a terminal", "a\u001b[201~\nid\n"],
    ["has a line break", "a\nrm -rf $HOME"],
    ["has quotes, a backslash and digits beside control characters", "'\\\u00017'"],
    ["shows its characters in another order", "a\u202eb\u2066c"],
    ["has no character that a terminal shows", "\u200b\u007f\u0085\u2028"],
  ])("can be pasted, and name the Job, if its name %s", (_, name) => {
    const [, why = ""] = jobCommands({ cluster: "east", namespace: "batch", name }, "http://h");
    expect(why).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    const words = execFileSync("bash", ["-c", why.replace("outlive why", String.raw`printf '%s\0'`)], {
      encoding: "utf8",
    });
    expect(words.split("\0")[0]).toBe(`job/${name}`);
  });
});
