import { describe, expect, it } from "vitest";
import { findMutants } from "../../../tools/mutate/find-mutants.ts";

/** The lines of code that the operators make of one. */
function mutantsOf(code: string): readonly string[] {
  return findMutants("src/a.ts", code).map(({ source }) => source);
}

describe("the operators of mutants", () => {
  it.each([
    ["negate a condition", "if (a) b = c;", ["if (!(a)) b = c;", "if (a) ;"]],
    ["end a loop", "while (a) b = c;", ["while (false) b = c;", "while (a) ;"]],
    ["shift a boundary up", "x(a < b);", [";", "x(a <= b);"]],
    ["shift a boundary down", "x(a >= b);", [";", "x(a > b);"]],
    ["swap an equality, without negating it as well", "const x = a === b ? c : d;", ["const x = a !== b ? c : d;"]],
    [
      "keep parentheses around an operand",
      "const x = (await a) !== b;",
      ["const x = (await a) === b;", "const x = (a) !== b;"],
    ],
    ["swap sums and differences", "const x = a - b;", ["const x = a + b;"]],
    ["swap products and quotients", "const x = a % b;", ["const x = a * b;"]],
    ["leave joined text", 'const x = a + " b";', []],
    ["swap `&&` and `||`", "const x = a && b;", ["const x = ((a) || (b));"]],
    [
      "keep the operands of mixed logic together",
      "const x = a || (b ?? c);",
      ["const x = ((a) && ((b ?? c)));", "const x = a || (((b) && (c)));"].map((line) =>
        line.replace("&& (b ?? c)", "&& (b ?? c)"),
      ),
    ],
    ["swap added and subtracted", "a += b;", ["a -= b;", ";"]],
    ["count down", "a++;", ["a--;", ";"]],
    ["set what is already set", "a ??= b;", ["a = b;", ";"]],
    ["remove a negation", "const x = !a;", ["const x = a;"]],
    ["remove a sign", "const x = -a;", ["const x = a;"]],
    ["remove an error", "throw a;", [";"]],
    ["remove `await`", "const x = await a;", ["const x = a;"]],
    ["swap boolean values", "const x = true;", ["const x = false;"]],
    ["add one to a number", "const x = 1_000;", ["const x = 1001;"]],
    ["empty a text", 'const x = "a";', ['const x = "";']],
    ["fill an empty text", 'const x = "";', ['const x = "mutated";']],
    ["leave prose", 'const x = "a b";', []],
    ["empty a list", "const x = [a];", ["const x = [];"]],
    ["leave an empty list", "const x = [];", []],
    ["swap opposite methods", "const x = a.some(b);", ["const x = a.every(b);"]],
    ["leave out a filter", "const x = a.filter(b);", ["const x = a;"]],
    ["leave an ordinary call", "const x = a.toString(b);", []],
    ["require an optional member", "const x = a?.b;", ["const x = a.b;"]],
    ["require an optional element", "const x = a?.[b];", ["const x = a[b];"]],
    ["require an optional call", "const x = a?.(b);", ["const x = a(b);"]],
  ])("%s", (_, code, expected) => {
    expect(mutantsOf(code)).toEqual(expected);
  });
});
