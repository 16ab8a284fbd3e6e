import { describe, expect, it } from "vitest";
import { IncompleteAnswers } from "../../../cli/query/incomplete-answers.ts";
import { CommandFailure } from "../../../src/command-line/command-failure.ts";

async function ask(headers: Record<string, string>) {
  const remarks: string[] = [];
  const incomplete = new IncompleteAnswers((text) => remarks.push(text));
  const api = incomplete.watch({
    name: "api",
    request: async () => new Response("{}", { headers }),
    close: async () => {},
  });
  await api.request("/v1/jobs");
  await api.request("/v1/jobs");
  return { incomplete, remarks };
}

describe("answers of an API over cells", () => {
  it("fail a command with status 3 if they lacked a cell, and warn once", async () => {
    const { incomplete, remarks } = await ask({
      "outlive-unavailable-cells": "us, ap",
      warning: '299 - "The answer lacks cells that are not available: us, ap."',
    });
    expect(remarks).toEqual(["Warning: The answer lacks cells that are not available: us, ap."]);
    expect(() => incomplete.requireComplete()).toThrow(CommandFailure);
    expect(() => incomplete.requireComplete()).toThrow("did not answer: ap, us");
  });

  it("are complete otherwise, also with a warning", async () => {
    const { incomplete, remarks } = await ask({
      warning: '299 - "Earlier Jobs of this cluster are in other cells: eu."',
    });
    expect(remarks).toHaveLength(1);
    expect(() => incomplete.requireComplete()).not.toThrow();
    expect((await ask({})).remarks).toEqual([]);
  });
});
