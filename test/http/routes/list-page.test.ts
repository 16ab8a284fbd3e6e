import { describe, expect, it } from "vitest";
import { apiWith } from "../../support/http/request-api.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

interface Page {
  readonly items: readonly { readonly uid: string }[];
  readonly cursors?: readonly string[];
}

describe("a page with itemCursors", () => {
  it("has a cursor for the page after each item", async () => {
    const jobs = [1, 2, 3, 4].map((n) => listedJob({ uid: `u${n}`, createdAt: second(n) }));
    const { ask } = await apiWith(jobs);
    const page = (await ask("/v1/jobs?itemCursors=true")).body as Page;
    expect(page.cursors).toHaveLength(4);
    for (const [index, cursor] of (page.cursors ?? []).entries()) {
      const rest = (await ask(`/v1/jobs?cursor=${cursor}`)).body as Page;
      expect(rest.items).toEqual(page.items.slice(index + 1));
    }
  });

  it("has none without the parameter, and none where lists do not support it", async () => {
    const { ask } = await apiWith([listedJob()]);
    expect((await ask("/v1/jobs")).body).not.toHaveProperty("cursors");
    expect((await ask("/v1/jobs?itemCursors=no")).status).toBe(400);
  });
});
