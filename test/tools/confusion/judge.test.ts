import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EXAMPLES, judgeRecordings, SOURCES } from "../../../tools/confusion/judge.ts";
import { isRight, matrixText } from "../../../tools/confusion/matrix.ts";
import { publish } from "../../../tools/confusion/publish.ts";
import { RECORDINGS_BESIDE } from "../../support/recordings/real-recordings.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

const untested = "the published confusion matrix";
const isSkipped = skipWithout(SOURCES[0] !== EXAMPLES, { ...RECORDINGS_BESIDE, untested });

describe("the confusion matrix", () => {
  it.skipIf(isSkipped)("is published as the recordings give it", { timeout: 120_000 }, async () => {
    const document = readFileSync(new URL("../../../docs/answers/responsibility.md", import.meta.url), "utf8");
    expect(document).toBe(publish(document, matrixText(await judgeRecordings())));
  });

  it("of the project's own recordings has one difference: nothing shows what killed a container", async () => {
    const judged = await judgeRecordings([EXAMPLES]);
    expect(judged.map(({ recording, job, truth }) => `${recording}/${job}: ${truth}`)).toEqual([
      "deadline/report-backoff-limit: program",
      "deadline/report-job-deadline: program",
      "deadline/report-job-deadline-running: deadline",
      "deadline/report-pod-deadline: deadline",
      "duplicate-execution/publish: none",
      "kubelet-restart/ingest-flipped: none",
      "kubelet-restart/ingest-restarted: platform",
      "ttl/nightly: none",
      "ttl/nightly: program",
      "ttl/nightly: none",
    ]);
    expect(judged.filter((one) => !isRight(one)).map(({ job }) => job)).toEqual(["ingest-restarted"]);
  });
});
