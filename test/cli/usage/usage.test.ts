import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { example, runOutlive, scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
const outlive = (...args: readonly string[]) => runOutlive(args, { cwd: scratch.path });

describe("outlive usage", { timeout: 60_000 }, () => {
  beforeAll(async () => {
    expect((await outlive("import", example("pod-gc-ate-success.ndjson.gz"))).status).toBe(0);
  }, 60_000);
  afterAll(() => scratch.remove());

  it("prints what became of the time of Pods", async () => {
    const { stdout, stderr } = await outlive("usage");
    expect(stdout).toMatch(/^CLASS {3,}POD-TIME {3,}SHARE/);
    expect(stdout).toMatch(/\nduplicate {3,}\S+ {3,}52 %/);
    expect(stderr).toMatch(/^All days until .*, of Jobs that are over\.\n/);
  });

  it("prints groups, and what they cost", async () => {
    await writeFile(`${scratch.path}/prices.yaml`, "currency: USD\nperHour: { cpu: 3600 }\n");
    const priced = ["--by", "namespace", "--prices", "prices.yaml"];
    const { stdout, stderr } = await outlive("usage", ...priced);
    expect(stdout).toMatch(/^NAMESPACE {3,}PODS .* USD\n/);
    expect(stderr).toContain("has no price for memory");
    const document = JSON.parse((await outlive("usage", ...priced, "-o", "json")).stdout) as {
      readonly currency: string;
      readonly groups: readonly { readonly cost: { readonly total: number }; readonly usage: unknown }[];
    };
    expect(document).toMatchObject({ currency: "USD", complete: true });
    expect(document.groups[0]?.cost.total).toBeGreaterThan(0);
  });

  it("prints CSV with a line for each amount", async () => {
    const { stdout } = await outlive("usage", "--by", "node", "-o", "csv");
    expect(stdout).toMatch(/^NODE,PODS,BOUND,RESOURCE,CLASS,UNIT-SECONDS\r\n/);
    expect(stdout).toMatch(/,cpu,duplicate,[\d.]+\r\n/);
  });

  it.each([
    [["--by", "colour"], /Choose one of cluster, namespace/],
    [["--since", "soon"], /The time must be/],
    [["--since", "1h", "--until", "2h"], /not later than since/],
    [["-o", "name"], /has no names/],
    [["--prices", "none.yaml"], /Cannot read none.yaml/],
  ])("refuses %j with what to do", async (args, problem) => {
    const { status, stderr } = await outlive("usage", ...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(problem);
  });
});
