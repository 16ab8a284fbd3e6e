import { writeFile } from "node:fs/promises";
import { afterAll, describe, expect, it, vi } from "vitest";
import { costOf, onUnknownNodes, pricedLabels, readPrices, withoutPrice } from "../../../cli/usage/price-file.ts";
import { presentUsage } from "../../../src/explain/usage/present-usage.ts";
import { usageOf } from "../../support/facts/usage-of.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

async function read(text: string) {
  const file = `${scratch.path}/prices.yaml`;
  await writeFile(file, text);
  return readPrices(file);
}

const hours = (kept: number) => presentUsage(usageOf(1, { kept: kept * 3_600 }));
const inNodes = (item: string): string => `currency: EUR\nperHour: {}\nnodes: [{ ${item} }]`;

describe("a file of prices", () => {
  it("gives what usage costs, by class", async () => {
    const prices = await read("currency: EUR\nperHour: { cpu: 0.5, memory: 2 }");
    const usage = presentUsage(usageOf(1, { kept: 7_200, failed: 3_600 }));
    expect(costOf({ usage }, prices)).toMatchObject({ total: 1.5, kept: 1, failed: 0.5, idle: 0 });
    expect(withoutPrice({ usage }, prices)).toEqual([]);
    expect(withoutPrice({ usage }, { ...prices, perHour: {} })).toEqual(["cpu"]);
    expect([pricedLabels(prices), onUnknownNodes({ usage })]).toEqual([undefined, undefined]);
  });

  it("has prices of memory by GiB", () => {
    const gib = 1_073_741_824;
    const usage = presentUsage(usageOf(1, {}));
    const amounts = { ...usage.podSeconds, total: 3 * gib * 3_600, kept: 3 * gib * 3_600 };
    const ofMemory = { usage: { ...usage, resources: { memory: amounts } } };
    expect(costOf(ofMemory, { currency: "EUR", perHour: { memory: 2 } }).kept).toBe(6);
  });

  describe("with prices by labels of nodes", async () => {
    const SPOT = { "karpenter.sh/capacity-type": "spot" };
    const prices = await read(`
currency: EUR
perHour: { cpu: 1 }
nodes:
  - where: { karpenter.sh/capacity-type: spot, kubernetes.io/arch: arm64 }
    perHour: { cpu: 0.125 }
  - where: { karpenter.sh/capacity-type: spot }
    perHour: { cpu: 0.25 }
  - where: { cloud.google.com/gke-spot: "true" }
    perHour: { memory: 1 }
`);
    const costOn = (labels?: Readonly<Record<string, string>>) => {
      const usage = hours(8);
      return costOf({ usage, nodes: [{ usage, ...(labels && { labels }) }] }, prices).total;
    };

    it("names the labels that it needs", () => {
      expect(pricedLabels(prices)).toEqual([
        "kubernetes.io/arch",
        "karpenter.sh/capacity-type",
        "cloud.google.com/gke-spot",
      ]);
    });

    it.each([
      ["the first that matches, not the best", { ...SPOT, "kubernetes.io/arch": "arm64" }, 1],
      ["the next if one of the labels differs", { ...SPOT, "kubernetes.io/arch": "amd64" }, 2],
      ["the usual price without a match", { "karpenter.sh/capacity-type": "on-demand" }, 8],
      ["the usual price of a resource that the match does not name", { "cloud.google.com/gke-spot": "true" }, 8],
      ["the usual price if the labels are not known", undefined, 8],
    ])("uses %s", (_, labels, cost) => {
      expect(costOn(labels)).toBe(cost);
    });

    it("adds up the parts, by class", () => {
      const nodes = [{ usage: hours(2) }, { usage: hours(4), labels: SPOT }];
      expect(costOf({ usage: hours(6), nodes }, prices)).toMatchObject({ total: 3, kept: 3, failed: 0 });
      expect(onUnknownNodes({ usage: hours(6), nodes })?.podSeconds.total).toBe(7_200);
    });

    it("lacks the price of a resource if only some nodes have one", () => {
      const { perHour: __, ...rest } = prices;
      const nodes = [{ usage: hours(2) }, { usage: hours(4), labels: SPOT }];
      expect(withoutPrice({ usage: hours(6), nodes: nodes.slice(1) }, { ...rest, perHour: {} })).toEqual([]);
      expect(withoutPrice({ usage: hours(6), nodes }, { ...rest, perHour: {} })).toEqual(["cpu"]);
    });
  });

  it.each([
    ["perHour: { cpu: 1 }", /currency: Write "currency" and "perHour"/],
    ["", /Write "currency" and "perHour"/],
    ["currency: eur\nperHour: { cpu: 1 }", /currency: Write a currency code/],
    ["currency: EUR\nperHour: { cpu: -1 }", /perHour.cpu: Write a price per hour/],
    ["currency: EUR\nperHour: { cpu: cheap }", /perHour.cpu: Write a price per hour/],
    ["currency: EUR\nperHour: {}\nextra: 1", /extra/],
    ["currency: [", /flow/i],
    ["currency: EUR\nperHour: {}\nnodes: 7", /nodes: Write a list of items with "where" and "perHour"/],
    [inNodes("where: { team: blue }, perHour: {}"), /nodes.0.where.team: .*Choose one of: node.kubernetes.io\/inst/],
    [inNodes("where: {}, perHour: {}"), /nodes.0.where: Write the labels of Nodes, at least one of: node.kube/],
    [inNodes("where: { kubernetes.io/arch: true }, perHour: {}"), /nodes.0.where.*: Write the value .* in quotes/],
    [inNodes("where: { kubernetes.io/arch: a }, perHour: { cpu: -1 }"), /nodes.0.perHour.cpu: Write a price per hour/],
    [inNodes("where: { kubernetes.io/arch: a }, cpu: 1"), /Write "where" and "perHour", and no other key/],
  ])("is refused with what to do: %j", async (text, problem) => {
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await expect(read(text)).rejects.toThrow(/prices.yaml is invalid/);
    expect(said.mock.calls.flat().join("")).toMatch(problem);
    said.mockRestore();
  });

  it("that does not exist is named", async () => {
    await expect(readPrices(`${scratch.path}/none.yaml`)).rejects.toThrow(/Cannot read .*none.yaml/);
  });
});
