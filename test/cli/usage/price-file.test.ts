import { writeFile } from "node:fs/promises";
import { afterAll, describe, expect, it, vi } from "vitest";
import { costOf, readPrices, withoutPrice } from "../../../cli/usage/price-file.ts";
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

describe("a file of prices", () => {
  it("gives what usage costs, by class", async () => {
    const prices = await read("currency: EUR\nperHour: { cpu: 0.5, memory: 2 }");
    const usage = presentUsage(usageOf(1, { kept: 7_200, failed: 3_600 }));
    expect(costOf(usage, prices)).toMatchObject({ total: 1.5, kept: 1, failed: 0.5, idle: 0 });
    expect(withoutPrice(usage, prices)).toEqual([]);
    expect(withoutPrice(usage, { ...prices, perHour: {} })).toEqual(["cpu"]);
  });

  it("has prices of memory by GiB", () => {
    const gib = 1_073_741_824;
    const amounts = { ...presentUsage(usageOf(1, {})).podSeconds, total: 3 * gib * 3_600, kept: 3 * gib * 3_600 };
    expect(costOf({ resources: { memory: amounts } }, { currency: "EUR", perHour: { memory: 2 } }).kept).toBe(6);
  });

  it.each([
    ["perHour: { cpu: 1 }", /currency: Write "currency" and "perHour"/],
    ["", /Write "currency" and "perHour"/],
    ["currency: eur\nperHour: { cpu: 1 }", /currency: Write a currency code/],
    ["currency: EUR\nperHour: { cpu: -1 }", /perHour.cpu: Write a price per hour/],
    ["currency: EUR\nperHour: { cpu: cheap }", /perHour.cpu: Write a price per hour/],
    ["currency: EUR\nperHour: {}\nextra: 1", /extra/],
    ["currency: [", /flow/i],
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
