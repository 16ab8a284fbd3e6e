import { describe, expect, it } from "vitest";
import { pageLink } from "../../../src/job/text/page-link.ts";

describe("a link to the page", () => {
  it.each([
    ["https://a.example", { view: "clusters" } as const, "https://a.example/#/clusters"],
    [
      "https://a.example/live/",
      { view: "job", path: ["c", "n", "a/b"] } as const,
      "https://a.example/live/#/job/c/n/a%2Fb",
    ],
    [
      "https://a.example",
      { view: "job", path: ["c", "n", "a"], uid: "u 1" } as const,
      "https://a.example/#/job/c/n/a?uid=u%201",
    ],
  ])("at %s to %j is %s", (page, subject, link) => {
    expect(pageLink(page, subject)).toBe(link);
  });
});
