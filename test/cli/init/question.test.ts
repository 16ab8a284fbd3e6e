import { describe, expect, it } from "vitest";
import { askWith, collectAnswers, type Question } from "../../../cli/init/question.ts";

const IMAGE: Question = {
  name: "image",
  value: "name",
  ask: "Name of the image",
  problem: (image) => (image.includes(" ") ? "it has a space." : undefined),
};
const ISSUER: Question = { name: "issuer", value: "url", ask: "Issuer", fallback: "" };
const AUDIENCE: Question = {
  name: "audience",
  value: "name",
  ask: "Audience",
  when: ({ issuer }) => issuer !== "",
};
const STAGE: Question = { name: "stage", value: "name", ask: "Stage", fallback: "live" };

/** A person who gives these answers, one after the other. */
function person(...answers: readonly string[]) {
  const left = [...answers];
  const asked: string[] = [];
  return {
    asked,
    ask: (question: string) => {
      asked.push(question);
      return Promise.resolve(left.shift() ?? "");
    },
  };
}

describe("a question", () => {
  it("is answered by its option, and then asks nobody", async () => {
    const { ask, asked } = person();
    expect(await collectAnswers([IMAGE], { image: "outlive" }, ask)).toEqual({ image: "outlive" });
    expect(asked).toEqual([]);
  });

  it("is asked until the answer is valid", async () => {
    const { ask, asked } = person("", "a b", " outlive ");
    expect(await collectAnswers([IMAGE], {}, ask)).toEqual({ image: "outlive" });
    expect(asked).toEqual([
      "Name of the image: ",
      "Invalid: an answer is needed.\nName of the image: ",
      "Invalid: it has a space.\nName of the image: ",
    ]);
  });

  it("shows its fallback, which an empty answer takes", async () => {
    const { ask, asked } = person("");
    expect(await collectAnswers([STAGE], {}, ask)).toEqual({ stage: "live" });
    expect(asked).toEqual(["Stage [live]: "]);
  });

  it("is asked only where it applies", async () => {
    expect(await collectAnswers([ISSUER, AUDIENCE], {}, person("").ask)).toEqual({ issuer: "" });
    const { ask } = person("https://issuer", "outlive");
    expect(await collectAnswers([ISSUER, AUDIENCE], {}, ask)).toEqual({
      issuer: "https://issuer",
      audience: "outlive",
    });
  });
});

describe("without a terminal, a question", () => {
  it("has its fallback", async () => {
    expect(await collectAnswers([STAGE], {})).toEqual({ stage: "live" });
  });

  it.each([
    ["fails if it must be answered", [IMAGE], {}, "Set --image: Name of the image."],
    ["fails if its option is invalid", [IMAGE], { image: "a b" }, "--image is invalid: it has a space."],
    ["fails if its option does not apply", [ISSUER, AUDIENCE], { audience: "x" }, "--audience does not apply"],
  ])("%s", async (_, questions, given, message) => {
    await expect(collectAnswers(questions, given)).rejects.toThrow(message);
  });
});

describe("a person at a terminal", () => {
  it("may paste all answers at once", async () => {
    const written: string[] = [];
    const ask = askWith(lines("outlive", "", "lab"), { write: (text) => written.push(text) });
    expect(await collectAnswers([IMAGE, ISSUER, STAGE], {}, ask)).toEqual({
      image: "outlive",
      issuer: "",
      stage: "lab",
    });
    expect(written).toEqual(["Name of the image: ", "Issuer: ", "Stage [live]: "]);
  });

  it("may end the input, and then nothing is written", async () => {
    const ask = askWith(lines("outlive"), { write: () => undefined });
    await expect(collectAnswers([IMAGE, STAGE], {}, ask)).rejects.toThrow("The input ended before all questions");
  });
});

async function* lines(...typed: readonly string[]): AsyncGenerator<string> {
  await Promise.resolve();
  yield* typed;
}
