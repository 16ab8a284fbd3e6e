import { describe, expect, it } from "vitest";
import { requestText } from "../../../web/pod/request-text.ts";

describe("a request", () => {
  it.each([
    ["memory", "33554432", "memory 32Mi"],
    ["memory", "1536", "memory 1536"],
    ["memory", "4096", "memory 4Ki"],
    ["memory", "0", "memory 0"],
    ["memory", "1Gi", "memory 1Gi"],
    ["cpu", "2048", "cpu 2048"],
    ["nvidia.com/gpu", "1", "nvidia.com/gpu 1"],
  ])("of %s %s is %j", (resource, quantity, text) => {
    expect(requestText(resource, quantity)).toBe(text);
  });
});
