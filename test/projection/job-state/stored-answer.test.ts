import { describe, expect, it } from "vitest";
import { encodeJobState, emptyJobState } from "../../../src/projection/job-state/job-state.ts";
import { decodableState, readableAnswer } from "../../../src/projection/job-state/stored-answer.ts";
import { jobUid } from "../../support/facts/names.ts";
import { listedJob, rowOf } from "../../support/story/listed-job.ts";

describe("what is stored of a Job", () => {
  it("is read, or is undefined where it is damaged", () => {
    expect(readableAnswer(rowOf(listedJob()))).toEqual(listedJob());
    expect(readableAnswer({ summary: new Uint8Array([1, 2]) })).toBeUndefined();
    const bytes = encodeJobState(emptyJobState(jobUid("u")));
    expect(decodableState(jobUid("u"), bytes)).toMatchObject({ layout: "inline" });
    expect(decodableState(jobUid("u"), new Uint8Array())).toBeUndefined();
  });
});
