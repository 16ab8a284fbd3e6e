import { describe, expect, it } from "vitest";
import { humanDuration } from "../../../src/job/text/human-duration.ts";

const S = 1_000;
const M = 60 * S;
const H = 60 * M;
const D = 24 * H;

describe("an age", () => {
  it.each([
    [-3 * S, "<invalid>"],
    [-1.5 * S, "0s"],
    [0, "0s"],
    [999, "0s"],
    [5 * S, "5s"],
    [119 * S, "119s"],
    [120 * S, "2m"],
    [3 * M + 12 * S, "3m12s"],
    [10 * M - S, "9m59s"],
    [10 * M + 30 * S, "10m"],
    [3 * H - S, "179m"],
    [3 * H, "3h"],
    [7 * H + 59 * M, "7h59m"],
    [8 * H + 30 * M, "8h"],
    [2 * D - S, "47h"],
    [2 * D, "2d"],
    [3 * D + 5 * H, "3d5h"],
    [8 * D + 5 * H, "8d"],
    [730 * D - S, "729d"],
    [730 * D, "2y"],
    [800 * D, "2y70d"],
    [8 * 365 * D, "8y"],
  ])("of %i ms is written %s, as kubectl writes it", (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });
});
