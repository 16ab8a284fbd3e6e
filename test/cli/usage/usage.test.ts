import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
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

  it("prices the nodes of a Job by their labels, once these are known", async () => {
    const ofSpot = "{ where: { karpenter.sh/capacity-type: spot }, perHour: { cpu: 1800 } }";
    const text = `currency: USD\nperHour: { cpu: 3600, memory: 0 }\nnodes: [${ofSpot}]`;
    await writeFile(`${scratch.path}/node-prices.yaml`, text);
    const ofAll = ["usage", "--prices", "node-prices.yaml", "-o", "json"];
    const before = await outlive(...ofAll);
    expect(before.stderr).toMatch(/^\d+ Pods ran on nodes of unknown labels: their prices are those of "perHour"/m);
    const recording = gunzipSync(await readFile(example("pod-gc-ate-success.ndjson.gz"))).toString();
    const label = '"karpenter.sh/capacity-type":"spot"';
    const labelled = recording.replaceAll('"kubernetes.io/hostname":', `${label},"kubernetes.io/hostname":`);
    await writeFile(`${scratch.path}/labelled.ndjson`, labelled);
    expect((await outlive("import", "labelled.ndjson", "--cluster", "labelled")).status).toBe(0);
    const after = await outlive(...ofAll, "--cluster", "labelled");
    expect(after.stderr).not.toContain("unknown labels");
    const [costBefore, costAfter] = [before, after].map(({ stdout }) => {
      const { cost } = JSON.parse(stdout) as { readonly cost: { readonly total: number } };
      return cost.total;
    });
    expect(costAfter).toBeCloseTo((costBefore ?? 0) / 2, 9);
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
