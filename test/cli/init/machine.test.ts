import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { MACHINE_QUESTIONS, planMachine } from "../../../cli/init/machine.ts";
import { collectAnswers } from "../../../cli/init/question.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const bin = join(scratch.path, "bin");
mkdirSync(bin);
/** A program that prints its arguments, one in each line. Its path has a space and a quote. */
const program = join(bin, "it's outlive");
writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });

/** The arguments with which the script of these answers starts outlive. */
async function argumentsOf(given: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return (await run(given)).stdout.trimEnd().split("\n");
}

/** Runs the script of these answers from the folder /usr. */
async function run(given: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) {
  const { files } = planMachine(await collectAnswers(MACHINE_QUESTIONS, given), { folder: "outlive", program });
  const [script] = files;
  const env = { PATH: [bin, "/usr/bin", "/bin"].join(delimiter), HOME: "/home/me", ...more };
  const path = join(scratch.path, "serve.sh");
  writeFileSync(path, script?.text ?? "");
  return spawnSync("sh", [path, "--listen", "127.0.0.1:0"], { cwd: "/usr", env, encoding: "utf8" });
}

const USUAL = ["serve", "--database", "outlive.sqlite", "--kubeconfig", "/home/me/.kube/config"];
const GIVEN = ["--listen", "127.0.0.1:0"];

describe("the script for this machine", () => {
  it("watches the current context, and passes on its arguments", async () => {
    expect(await argumentsOf({})).toEqual([...USUAL, "--cluster", "kubernetes", ...GIVEN]);
  });

  it("has the context and the retention", async () => {
    expect(await argumentsOf({ cluster: "prod", context: "admin@prod", retention: "36h" })).toEqual([
      ...USUAL,
      "--cluster",
      "prod",
      "--context",
      "admin@prod",
      "--retention",
      "36h",
      ...GIVEN,
    ]);
  });

  it.each([
    ["/etc/my kube", "/etc/my kube"],
    ["kube/config", "/usr/kube/config"],
    ["./config", "/usr/./config"],
    ["", "/home/me/.kube/config"],
  ])("reads the KUBECONFIG %j of the folder from which it is called", async (KUBECONFIG, path) => {
    expect((await run({}, { KUBECONFIG })).stdout.split("\n")[4]).toBe(path);
  });

  it("refuses a list of kubeconfigs, and says how to merge it", async () => {
    expect(await run({}, { KUBECONFIG: "/a:/b" })).toMatchObject({
      status: 2,
      stdout: "",
      stderr:
        "error: KUBECONFIG lists several files, and outlive serve reads one. Merge them with " +
        '"kubectl config view --flatten > FILE", and set KUBECONFIG to that file.\n',
    });
  });

  it("runs nothing that is in the name of a context", async () => {
    const context = fc.string({ minLength: 1, unit: "grapheme-ascii" }).filter((text) => text.trim() !== "");
    await fc.assert(
      fc.asyncProperty(context, async (name) => {
        expect(await argumentsOf({ context: name })).toContain(name);
      }),
      { numRuns: 30, examples: [["$(touch owned)"], ["a'; touch owned; '"], ["`id`"], ["\\"], ['"']] },
    );
  });

  it.each([
    [{ cluster: "a b" }, '--cluster is invalid: "a b" cannot be a cluster\'s name'],
    [{ context: "a\nb" }, "--context is invalid: a context has no control characters."],
    [{ retention: "soon" }, "--retention is invalid: write a number of days"],
  ])("is not written for %j", async (given, message) => {
    await expect(argumentsOf(given)).rejects.toThrow(message);
  });
});
