import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_HEADLINE_WORDS } from "../../../src/explain/headline/line-of.ts";
import { whyTextsOf } from "../../support/recordings/why-texts.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

/** Recordings of real kubelets and a real scheduler, beside the checkout. */
const FOLDER = join(import.meta.dirname, "../../../../shared/recordings-node");

const isAbsent = skipWithout(existsSync(FOLDER), {
  dependency: "recordings of real nodes",
  reason: "not found beside the checkout, in ../shared/recordings-node",
  untested: "the output of why for every Job of these recordings",
});

async function explained(file: string): Promise<readonly string[]> {
  const texts = await whyTextsOf(join(FOLDER, file));
  return texts.map(({ job, headline, text }) => {
    expect(headline.split(" ").length, headline).toBeLessThanOrEqual(MAX_HEADLINE_WORDS);
    return `# ${file}: ${job}\n\n${text}`;
  });
}

// One file, to be read as a person on call would: is the cause clear, the evidence, and what to do?
describe.skipIf(isAbsent)("why, for every Job of the recordings of real nodes", () => {
  it("is what was reviewed", async () => {
    const files = readdirSync(FOLDER)
      .filter((file) => /^[a-z0-9-]+\.ndjson(\.gz)?$/.test(file))
      .toSorted();
    const texts: string[] = [];
    for (const file of files) texts.push(...(await explained(file)));
    await expect(texts.join("\n\n")).toMatchFileSnapshot("why-of-real-nodes.golden.md");
  });
});
