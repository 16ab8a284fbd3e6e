import { describe, expect, it } from "vitest";
import {
  type AnswerCase,
  answerCases,
  type AnsweredCase,
  answerOfCase,
  factsOfAnswerCase,
} from "../support/story/answer-case.ts";

const named = answerCases().map((one) => [one.id, one] as const);

describe("the answer about a Job", () => {
  it.each(named)("follows the rules of Kubernetes: %s", async (_, one) => {
    expectAnswer(await answerOfCase(one, factsOfAnswerCase(one)), one.expected);
  });

  it.each(named)("is the same when its facts arrive in reverse and twice: %s", async (_, one) => {
    const facts = factsOfAnswerCase(one);
    const expected = await answerOfCase(one, facts);
    expect(await answerOfCase(one, [...facts, ...facts].toReversed())).toEqual(expected);
  });

  it.each(named)("is the same from a recording: %s", async (_, one) => {
    expect(await answerOfCase(one, factsOfAnswerCase(one, "recorded"))).toEqual(
      await answerOfCase(one, factsOfAnswerCase(one)),
    );
  });
});

/** A count that is 0 may be absent. */
const NO_PODS = { active: 0, ready: 0, terminating: 0, succeeded: 0, failed: 0 };

function expectAnswer({ answer, why }: AnsweredCase, expected: AnswerCase["expected"]): void {
  const texts = {
    line: why.answer,
    findings: answer.findings.map(({ message }) => message).join("\n"),
    remedies: why.remedies.join("\n"),
  };
  for (const part of ["line", "findings", "remedies"] as const) {
    for (const pattern of expected.says[part] ?? []) expect(texts[part]).toMatch(new RegExp(pattern));
    for (const pattern of expected.never?.[part] ?? []) expect(texts[part]).not.toMatch(new RegExp(pattern));
  }
  const whole = { ...answer, status: { ...NO_PODS, ...answer.status } };
  expect(whole).toMatchObject(expected.answer ?? {});
  for (const field of expected.absent ?? []) expect(whole).not.toHaveProperty(field);
}
