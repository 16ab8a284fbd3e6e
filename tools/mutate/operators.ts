import { childOf, type SyntaxNode } from "./syntax.ts";

/** One edit of a source text. */
export interface Change {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  /** The text between `start` and `end` afterwards. */
  readonly text: string;
}

type Operator = (node: SyntaxNode, source: string) => readonly Change[];

const BINARY: Readonly<Record<string, readonly [operator: string, other: string]>> = {
  "<": ["boundary", "<="],
  "<=": ["boundary", "<"],
  ">": ["boundary", ">="],
  ">=": ["boundary", ">"],
  "===": ["equality", "!=="],
  "!==": ["equality", "==="],
  "+": ["arithmetic", "-"],
  "-": ["arithmetic", "+"],
  "*": ["arithmetic", "/"],
  "/": ["arithmetic", "*"],
  "%": ["arithmetic", "*"],
  "&&": ["logic", "||"],
  "||": ["logic", "&&"],
  "??": ["logic", "&&"],
  "+=": ["arithmetic", "-="],
  "-=": ["arithmetic", "+="],
  "??=": ["logic", "="],
};

/** Methods with an opposite. */
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["find", "findLast"],
  ["findLast", "find"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["min", "max"],
  ["max", "min"],
]);
/** Methods whose call may be left out, because the result has the type of the object. */
const OMITTED = new Set(["filter", "sort", "toSorted", "toReversed", "slice", "subarray", "trim", "toLowerCase"]);

/** The edits of one node by its type, without those of the nodes below. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  IfStatement: negated,
  ConditionalExpression: negated,
  WhileStatement: ended,
  ForStatement: ended,
  BinaryExpression: swapped,
  LogicalExpression: swapped,
  AssignmentExpression: swapped,
  UpdateExpression: (node, source) => replacedText(node, source, ["++", "--"]),
  UnaryExpression: affirmed,
  ExpressionStatement: removed,
  ThrowStatement: removed,
  AwaitExpression: (node, source) => [replaced("await", node, inner(node, "argument", source))],
  Literal: otherLiteral,
  ArrayExpression: (node) => (node.end - node.start > 2 ? [replaced("array", node, "[]")] : []),
  CallExpression: otherCall,
  MemberExpression: required,
};

/** The edits that `node` itself allows. */
export function changesOf(node: SyntaxNode, source: string): readonly Change[] {
  return OPERATORS[node.type]?.(node, source) ?? [];
}

function replaced(operator: string, { start, end }: SyntaxNode, text: string): Change {
  return { operator, start, end, text };
}

function inner(node: SyntaxNode, field: string, source: string): string {
  const child = childOf(node, field);
  return child === undefined ? "" : source.slice(child.start, child.end);
}

/** Negates a condition. One that is an equality or a negation has an operator of its own with the same effect. */
function negated(node: SyntaxNode, source: string): readonly Change[] {
  const test = childOf(node, "test");
  if (test === undefined || isOwnNegation(test)) return [];
  return [replaced("condition", test, `!(${source.slice(test.start, test.end)})`)];
}

function isOwnNegation({ type, operator }: SyntaxNode): boolean {
  if (type === "UnaryExpression") return operator === "!";
  return type === "BinaryExpression" && (operator === "===" || operator === "!==");
}

function ended(node: SyntaxNode): readonly Change[] {
  const test = childOf(node, "test");
  return test === undefined ? [] : [replaced("condition", test, "false")];
}

function swapped(node: SyntaxNode, source: string): readonly Change[] {
  const [left, right] = [childOf(node, "left"), childOf(node, "right")];
  const [operator, other] = BINARY[String(node["operator"])] ?? [];
  if (left === undefined || right === undefined || operator === undefined || other === undefined) return [];
  if (operator === "arithmetic" && (isText(left) || isText(right))) return [];
  const [first, last] = [source.slice(left.start, left.end), source.slice(right.start, right.end)];
  // The parentheses keep the operands together, and allow a mixture with `??`.
  if (node.type === "LogicalExpression") return [replaced(operator, node, `((${first}) ${other} (${last}))`)];
  const between = source.slice(left.end, right.start).replace(String(node["operator"]), other);
  return [replaced(operator, node, source.slice(node.start, left.end) + between + source.slice(right.start, node.end))];
}

/** Whether a node is a text, so that `+` joins. */
function isText(node: SyntaxNode): boolean {
  if (node.type === "BinaryExpression") return [childOf(node, "left"), childOf(node, "right")].some(isTextNode);
  return isTextNode(node);
}

function isTextNode(node: SyntaxNode | undefined): boolean {
  return node?.type === "TemplateLiteral" || typeof node?.["value"] === "string";
}

function replacedText(node: SyntaxNode, source: string, [one, other]: readonly [string, string]): readonly Change[] {
  const text = source.slice(node.start, node.end);
  return [replaced("arithmetic", node, text.includes(one) ? text.replace(one, other) : text.replace(other, one))];
}

/** Removes a `!`, or the sign of a number. */
function affirmed(node: SyntaxNode, source: string): readonly Change[] {
  if (node["operator"] !== "!" && node["operator"] !== "-") return [];
  return [replaced("negation", node, inner(node, "argument", source))];
}

function removed(node: SyntaxNode): readonly Change[] {
  const isConstructorCall = childOf(childOf(node, "expression") ?? node, "callee")?.type === "Super";
  if (isConstructorCall || typeof node["directive"] === "string") return [];
  return [replaced("statement", node, ";")];
}

function otherLiteral(node: SyntaxNode): readonly Change[] {
  const value = node["value"];
  if (typeof value === "boolean") return [replaced("boolean", node, String(!value))];
  if (typeof value === "number") return [replaced("number", node, String(value + 1))];
  // Text with spaces is prose. Its tests compare whole answers.
  if (typeof value !== "string" || /\s/.test(value)) return [];
  return [replaced("string", node, value === "" ? '"mutated"' : '""')];
}

function otherCall(node: SyntaxNode, source: string): readonly Change[] {
  const callee = childOf(node, "callee");
  if (node["optional"] === true) return [replaced("optional", node, withoutMark(node, callee, source))];
  const [object, property] = [childOf(callee ?? node, "object"), childOf(callee ?? node, "property")];
  if (callee?.type !== "MemberExpression" || object === undefined || property === undefined) return [];
  const name = source.slice(property.start, property.end);
  if (OMITTED.has(name)) return [replaced("call", node, source.slice(object.start, object.end))];
  const opposite = OPPOSITES.get(name);
  return opposite === undefined ? [] : [replaced("call", property, opposite)];
}

/** `a?.b` becomes `a.b`, which throws where `a` is undefined. */
function required(node: SyntaxNode, source: string): readonly Change[] {
  if (node["optional"] !== true) return [];
  return [replaced("optional", node, withoutMark(node, childOf(node, "object"), source))];
}

function withoutMark({ start, end }: SyntaxNode, left: SyntaxNode | undefined, source: string): string {
  const from = left?.end ?? start;
  const rest = source.slice(from, end);
  return source.slice(start, from) + (/^\?\.[[(]/.test(rest) ? rest.slice(2) : rest.replace("?.", "."));
}
