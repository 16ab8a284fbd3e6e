import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_RUN_WORDS } from "../../../src/explain/run/run-headline.ts";
import { explainRun } from "../../../src/explain/run/why-run.ts";
import { recordedFacts } from "../../../src/host/embedded/recorded-facts.ts";
import { POD_RUN_KINDS, translateRunPod } from "../../../src/kubernetes/runs/translate-run-pod.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import { PodRunFold } from "../../../src/query/job/fold-pod-runs.ts";
import { RunFold } from "../../../src/query/job/fold-runs.ts";
import { recordingFiles, RECORDINGS_BESIDE, sharedRecording } from "../../support/recordings/real-recordings.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

const FOLDER = join(sharedRecording("."), "../recordings-lineage");
const isSkipped = skipWithout(existsSync(FOLDER), {
  ...RECORDINGS_BESIDE,
  untested: "the first line of `why` for runs",
});

/** With its audit log. */
async function linesOf(file: string): Promise<readonly string[]> {
  const audit = file.replace(/\.ndjson(\.gz)?$/, ".audit.ndjson");
  const files = [file, audit].map((name) => join(FOLDER, name)).filter((path) => existsSync(path));
  const podRuns = new PodRunFold();
  const onEvent = (event: unknown): void => podRuns.add(translateRunPod(event, new Set(POD_RUN_KINDS)));
  const tally = { events: 0, rejected: [], rejectedBeyond: 0 };
  const folded = await foldFacts(recordedFacts(files, tally, { onEvent }));
  const [cluster, now] = ["east", Math.max(folded.latestAt, podRuns.latestAt)];
  const runs = new RunFold(folded.runs, folded.clusterContext);
  podRuns.addTo(runs, { cluster, clusterContext: folded.clusterContext, now });
  for (const _ of answersOf(folded, { cluster, now, pods: false, runs }));
  return [...runs.described(cluster, now)].map((run) => {
    const { kind, name, series } = run.answer;
    const of = series === undefined ? "" : ` of ${series.kind}/${series.name}`;
    const { answer } = explainRun(run, now);
    expect(answer.split(/\s+/).length, answer).toBeLessThanOrEqual(MAX_RUN_WORDS);
    return `\`${kind}/${name}\`${of}: ${answer}`;
  });
}

describe.skipIf(isSkipped)("the first line of `why` for the runs of a recording", () => {
  it("names what decided, what came before, and what they wait for", async () => {
    const parts: string[] = [];
    for (const file of recordingFiles(FOLDER).filter((name) => !name.includes(".audit."))) {
      const lines = await linesOf(file);
      if (lines.length > 0) parts.push([`## ${file}`, "", ...lines.map((line) => `- ${line}`), ""].join("\n"));
    }
    await expect(parts.join("\n")).toMatchFileSnapshot("why-of-runs.golden.md");
  }, 60_000);
});
