import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ingestHere } from "../../../cli/redrive/ingest-here.ts";
import { withDatabase } from "../../../src/host/embedded/with-database.ts";
import type { RedrivenMessage } from "../../../src/log/redrive-request.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";
import { Story } from "../../support/story/story.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

function segmentSealed(sealedAt: number): string {
  const story = new Story("report");
  story.jobCreated();
  const name = { cluster: clusterNamed("east"), sealedAt, session: "0123456789abcdef", sequence: 1 };
  return Buffer.from(sealSegment({ ...name, facts: story.facts }).bytes).toString("base64");
}

async function ingest(messages: readonly RedrivenMessage[]) {
  const file = join(scratch.path, "outlive.sqlite");
  return withDatabase(file, { create: true }, (embedded) => ingestHere(embedded)(messages));
}

describe("a set-aside message that is ingested into a database file again", () => {
  it("is appended if it is a valid segment", async () => {
    const messages = [{ messageId: "1", body: segmentSealed(Date.now()) }];
    expect(await ingest(messages)).toEqual([{ messageId: "1", outcome: "appended" }]);
  });

  it("is set aside again if it is not a segment", async () => {
    const [outcome] = await ingest([{ messageId: "1", body: Buffer.from("no segment").toString("base64") }]);
    expect(outcome).toMatchObject({ messageId: "1", outcome: "setAside" });
  });

  it("fails if its bytes are stored on AWS only", async () => {
    const [outcome] = await ingest([{ messageId: "1", keptAs: "large" }]);
    expect(outcome).toMatchObject({ messageId: "1", outcome: "failed" });
  });

  it("has its own outcome among others", async () => {
    const outcomes = await ingest([
      { messageId: "1", keptAs: "large" },
      { messageId: "2", body: segmentSealed(Date.now() + 1) },
    ]);
    expect(outcomes.map(({ messageId, outcome }) => [messageId, outcome])).toEqual([
      ["1", "failed"],
      ["2", "appended"],
    ]);
  });
});
