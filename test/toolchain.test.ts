import { expect, it } from "vitest";

it("npm scripts run on Node 24 or newer, whatever Node started npm", () => {
  expect(Number(process.versions.node.split(".")[0])).toBeGreaterThanOrEqual(24);
});
