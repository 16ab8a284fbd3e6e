import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { paintFor } from "../../cli/output/paint.ts";
import { formatWhy } from "../../cli/output/why-text.ts";
import { recordedFacts } from "../../src/embedded/recorded-facts.ts";
import { MAX_HEADLINE_WORDS } from "../../src/explain/headline.ts";
import { answerAndWhy } from "../../src/explain/why-record.ts";
import { foldFacts } from "../../src/query/job/fold-facts.ts";
import { skipWithout } from "../support/running/skip-without.ts";

/** Recordings of real kubelets and a real scheduler, beside the checkout. */
const FOLDER = join(import.meta.dirname, "../../../shared/recordings-node");

const isAbsent = skipWithout(existsSync(FOLDER), {
  dependency: "recordings of real nodes",
  reason: "not found beside the checkout, in ../shared/recordings-node",
  untested: "the output of why for every Job of these recordings",
});

async function explained(file: string): Promise<readonly string[]> {
  const reading = { events: 0, rejected: [], rejectedBeyond: 0 };
  const { jobs, clusterContext, latestAt } = await foldFacts(recordedFacts([join(FOLDER, file)], reading));
  return [...jobs].map((record) => {
    const { answer, why } = answerAndWhy(record, { cluster: "recording", clusterContext, now: latestAt });
    expect(why.answer.split(" ").length, why.answer).toBeLessThanOrEqual(MAX_HEADLINE_WORDS);
    const { cluster, namespace, name, uid, verdict, completeness, asOf } = answer;
    const whole = { cluster, namespace, name, uid, verdict, completeness, asOf, ...why };
    return `# ${file}: ${name}\n\n${formatWhy(whole, paintFor("never", process.stdout))}`;
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
