import { describe, expect, it } from "vitest";
import { hasLogic } from "../../../tools/limits/has-logic.ts";

const decisions = (count: number): string => "  if (a) b();\n".repeat(count);

describe("a source file", () => {
  it.each([
    ["exports a function", `export function f() {\n${decisions(5)}}`, true],
    ["exports an async generator", `export async function* f() {\n${decisions(5)}}`, true],
    ["exports a class", `export abstract class A { f() {\n${decisions(5)}} }`, true],
    ["exports an arrow function", `export const f: F = (a) => {\n${decisions(5)}}`, true],
    ["makes four decisions", `export function f() {\n${decisions(4)}}`, false],
    ["exports data", `export const table = [];\nfunction f() {\n${decisions(5)}}`, false],
    ["exports types", `export type A = { a: number };\n// ${"if ( ".repeat(5)}`, false],
    ["mentions decisions in comments and texts", `export const f = () => "${"a && b ".repeat(5)}"; // if (a)`, false],
  ])("that %s: logic %o", (_, source, expected) => {
    expect(hasLogic(source)).toBe(expected);
  });
});
