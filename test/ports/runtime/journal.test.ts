import { describe, expect, it } from "vitest";
import { createJournal } from "../../../src/ports/runtime/journal.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

function told(tell: (journal: ReturnType<typeof createJournal>) => void): readonly unknown[] {
  const lines: unknown[] = [];
  tell(
    createJournal(
      (line) => lines.push(JSON.parse(line)),
      () => NOON,
      () => ({ service: "ingest" }),
    ),
  );
  return lines;
}

describe("a journal", () => {
  it("is one JSON object per line, with time, level, message and fields", () => {
    expect(told((journal) => journal.warn("A cluster is silent.", { cluster: "east" }))).toEqual([
      {
        time: "2026-11-21T12:00:00.000Z",
        level: "warn",
        message: "A cluster is silent.",
        service: "ingest",
        cluster: "east",
      },
    ]);
  });

  it("has an error in any field with its causes, to a limited depth", () => {
    const deep = Array.from({ length: 9 }).reduce<Error>(
      (cause, _, level) => new Error(`level ${level}`, { cause }),
      new Error("root"),
    );
    const [line] = told((journal) =>
      journal.error("It failed.", { error: deep, all: [new TypeError("x", { cause: 3 })] }),
    );
    expect(line).toMatchObject({
      error: { message: "level 8", cause: { cause: { cause: { cause: { message: "level 4" } } } } },
    });
    expect(JSON.stringify(line)).not.toContain("level 3");
    expect(line).toMatchObject({ all: [{ name: "TypeError", message: "x", cause: { name: "number", message: "3" } }] });
  });
});
