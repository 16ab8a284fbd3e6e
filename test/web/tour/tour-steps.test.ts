import { describe, expect, it } from "vitest";
import { parseRoute } from "../../../web/shell/route.ts";
import { addressOf, stepIn, TOUR_STEPS } from "../../../web/tour/tour-steps.ts";

describe("the steps of the tour", () => {
  it("open five different views", () => {
    const views = TOUR_STEPS.map(({ hash }) => parseRoute(hash).view);
    expect(new Set(views).size).toBe(5);
  });

  it("have addresses that name them", () => {
    for (const step of [1, 2, 3, 4, 5]) expect(stepIn(addressOf(step).split("#")[0] ?? "")).toBe(step);
  });

  it.each(["", "?tour=", "?tour=0", "?tour=6", "?tour=1.5", "?tour=x", "?other=1"])("are not named by %j", (search) => {
    expect(stepIn(search)).toBeUndefined();
  });
});
