import { describe, expect, it } from "vitest";
import { RUN_COLUMNS, runRow } from "../../../src/archive/rows/run-columns.ts";
import { answerRun } from "../../../src/explain/run/answer-run.ts";
import { emptyRun, joinRunFacts } from "../../../src/explain/run/run-record.ts";
import { isRunFact } from "../../../src/job/model/fact.ts";
import { queuedJobSet, second } from "../../support/story/run-story.ts";

function rowOf() {
  const record = joinRunFacts(emptyRun("next-uid"), queuedJobSet().filter(isRunFact));
  const answer = answerRun(record, { cluster: "east", now: second(31) });
  if (answer === undefined) throw new Error("The run has no answer.");
  return runRow({ answer, record, revision: 7 });
}

describe("the row of a run", () => {
  it("has its queue, and waited there until it was last heard of", () => {
    expect(rowOf()).toMatchObject({ queue_name: "main", queue_waiting_seconds: 30, queue_evictions: 0 });
  });

  it("has each of its values in a column", () => {
    const names = RUN_COLUMNS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(rowOf()).filter((name) => !names.includes(name))).toEqual([]);
  });
});
