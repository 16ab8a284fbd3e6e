import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerRun } from "../../../src/explain/run/answer-run.ts";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";
import { recordedFacts } from "../../../src/host/embedded/recorded-facts.ts";
import { NO_CONTEXT } from "../../../src/projection/job-state/derive-row.ts";
import { recordOf } from "../../../src/projection/run-state/project-run.ts";
import { RunFold } from "../../../src/query/job/fold-runs.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { skipWithout } from "../../support/running/skip-without.ts";
import { emptyStores, tell } from "../../support/stores/stores-with-facts.ts";
import { recordingFiles, RECORDINGS_BESIDE, sharedRecording } from "../../support/recordings/real-recordings.ts";

const FOLDER = join(sharedRecording("."), "../recordings-lineage");
const isSkipped = skipWithout(existsSync(FOLDER), {
  ...RECORDINGS_BESIDE,
  untested: "stored runs of recorded controllers",
});
const FILES = isSkipped ? ["none"] : recordingFiles(FOLDER).filter((file) => !file.includes(".audit."));

async function factsIn(file: string): Promise<Fact[]> {
  const facts: Fact[] = [];
  const tally = { events: 0, rejected: [], rejectedBeyond: 0 };
  for await (const some of recordedFacts([join(FOLDER, file)], tally)) facts.push(...some);
  return facts;
}

/** A stored run has neither the evidence of a cause nor the names of runs that preempted it. */
function comparable({ cause, queue, ...run }: RunAnswer): unknown {
  const { pods: _, ...short } = cause ?? { pods: undefined };
  const evictions = queue?.evictions.map(({ at, reason }) => ({ at, reason }));
  return { ...run, labels: {}, cause: { ...short, evidence: [] }, queue: { ...queue, evictions } };
}

describe.skipIf(isSkipped)("the stored runs of a recording", () => {
  it.each(FILES)(
    "are those that are folded from it: %s",
    async (file) => {
      const facts = await factsIn(file);
      const folded = await foldFacts(
        (async function* () {
          yield facts;
        })(),
      );
      const now = folded.latestAt;
      const runs = new RunFold(folded.runs);
      for (const _ of answersOf(
        { ...folded, clusterContext: NO_CONTEXT },
        { cluster: "east", now, pods: false, runs },
      ));
      const expected = [...runs.answers("east", now)].filter(({ uid }) => uid !== undefined);
      const stores = emptyStores();
      await tell(stores, facts, { factsInSegment: 50 });
      for (const run of expected) {
        const jobUid = decodeJobUid(run.uid) ?? expect.fail();
        const stored = await stores.projections.runs("A").read({ cluster: clusterOf("east"), jobUid });
        const answer = stored && answerRun(recordOf(jobUid, stored), { cluster: "east", now });
        expect(answer && comparable(answer)).toEqual(comparable(run));
      }
    },
    60_000,
  );
});
