import { SelectorSyntaxError } from "../../../src/query/list/selector-text.ts";
import { type Comparison, type JsonPath, type Literal, OPERATORS, type Step } from "./json-path.ts";
import type { TemplateText } from "./template-text.ts";

/** Reads a path such as `.items[*].name`. `relaxed`: its first dot may be missing. */
export function parsePath(input: TemplateText, { relaxed = false } = {}): JsonPath {
  const start = input.at;
  const from = input.takes("$") ? "document" : "current";
  const steps: Step[] = [];
  if (from === "current" && !input.takes("@") && relaxed && isNameStart(input)) steps.push(readField(input));
  for (let read = readStep(input); read !== undefined; read = readStep(input)) steps.push(...read);
  if (input.at === start) throw input.unexpected("a path such as .items[*].name");
  return { from, steps };
}

/** `undefined` where the path ends. */
function readStep(input: TemplateText): readonly Step[] | undefined {
  if (input.takes("..")) return isNameStart(input) ? [DESCEND, readField(input)] : [DESCEND];
  if (input.takes(".")) return isNameStart(input) ? [readField(input)] : [];
  if (input.takes("[")) return [readBracket(input)];
  return undefined;
}

const DESCEND: Step = { kind: "descend" };
const ENDS_NAME = /[\s.,[\]{}()=!<>$@'"]/;

function isNameStart(input: TemplateText): boolean {
  return !input.atEnd() && !ENDS_NAME.test(input.peek);
}

/** A name, or `*`. A backslash takes the next character as it is: `.labels.app\.kubernetes\.io/name`. */
function readField(input: TemplateText): Step {
  let name = "";
  while (isNameStart(input)) {
    const escaped = input.takes("\\");
    if (escaped && input.atEnd()) throw input.unexpected("a character after the backslash");
    name += input.take();
    if (!escaped && name === "*") return { kind: "wildcard" };
  }
  return { kind: "field", name };
}

/** What follows `[`: a filter, or one or several of `*`, an index, a slice and a key in quotes. */
function readBracket(input: TemplateText): Step {
  const start = input.at - 1;
  input.skipSpaces();
  if (input.takes("?(")) return readFilter(input);
  const steps = [readElement(input)];
  for (input.skipSpaces(); input.takes(","); input.skipSpaces()) {
    input.skipSpaces();
    steps.push(readElement(input));
  }
  if (!input.takes("]")) {
    if (input.atEnd()) throw new SelectorSyntaxError(start, 'this "[" has no "]"');
    throw input.unexpected('"," or "]"');
  }
  const [only, ...others] = steps;
  return only !== undefined && others.length === 0 ? only : { kind: "union", steps };
}

function readElement(input: TemplateText): Step {
  if (input.takes("*")) return { kind: "wildcard" };
  if (input.peek === "'" || input.peek === '"') return readKey(input);
  const { at } = input;
  const start = readWhole(input);
  if (!input.takes(":")) {
    if (start === undefined) throw input.unexpected("an index, a slice, a key in quotes, * or a filter ?(...)");
    return { kind: "slice", start, end: start === -1 ? Number.POSITIVE_INFINITY : start + 1, step: 1 };
  }
  return readSlice(input, { start: start ?? 0, at });
}

/** What follows the first colon of a slice. */
function readSlice(input: TemplateText, { start, at }: { readonly start: number; readonly at: number }): Step {
  const end = readWhole(input) ?? Number.POSITIVE_INFINITY;
  const step = input.takes(":") ? (readWhole(input) ?? 1) : 1;
  if (step < 1) throw new SelectorSyntaxError(at, "the step of a slice is less than 1");
  return { kind: "slice", start, end, step };
}

function readWhole(input: TemplateText): number | undefined {
  const { at } = input;
  const text = (input.takes("-") ? "-" : "") + input.takeWhile((character) => /\d/.test(character));
  if (text === "-" || text.length > MAX_DIGITS) throw new SelectorSyntaxError(at, `"${text}" is not an index`);
  return text === "" ? undefined : Number(text);
}
const MAX_DIGITS = 12;

/** As in kubectl, a dot in a key separates fields unless a backslash is before it. */
function readKey(input: TemplateText): Step {
  const quote = input.take();
  let raw = "";
  while (!input.takes(quote)) {
    if (input.atEnd()) throw input.unexpected(`the closing ${quote}`);
    raw += input.peek === "\\" ? input.take() + input.take() : input.take();
  }
  const fields = [...raw.matchAll(/(?:\\.|[^.\\])+/gs)].map(([field]) => withoutBackslashes(field));
  return { kind: "key", key: withoutBackslashes(raw), fields };
}

function withoutBackslashes(text: string): string {
  return text.replaceAll(/\\(.)/gs, "$1");
}

/** `@.path`, or a comparison of it. */
function readFilter(input: TemplateText): Step {
  input.skipSpaces();
  const left = parsePath(input);
  input.skipSpaces();
  const operator = OPERATORS.find((one) => input.takes(one));
  input.skipSpaces();
  const compared: Comparison | undefined = operator && { operator, right: readOperand(input) };
  input.skipSpaces();
  if (!input.takes(")]")) throw input.unexpected(compared ? '")]" after one comparison' : `")]" or a comparison`);
  return { kind: "filter", left, ...(compared && { compared }) };
}

function readOperand(input: TemplateText): Comparison["right"] {
  if (input.peek === "'" || input.peek === '"') return { literal: parseQuoted(input) };
  if (/[.@$[]/.test(input.peek)) return parsePath(input);
  const { at } = input;
  const word = input.takeWhile((character) => !/[\s)\]]/.test(character));
  const literal = literalOf(word);
  if (literal === undefined) {
    throw new SelectorSyntaxError(at, "expected a text in quotes, a number, true, false or a path");
  }
  return { literal };
}

function literalOf(word: string): Literal | undefined {
  if (word === "true" || word === "false") return word === "true";
  return /^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : undefined;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);

/** A text in single or double quotes, with the escapes \n, \t and \r. */
export function parseQuoted(input: TemplateText): string {
  const start = input.at;
  const quote = input.take();
  let text = "";
  while (!input.takes(quote)) {
    if (input.atEnd()) throw new SelectorSyntaxError(start, `this ${quote} is not closed`);
    const character = input.take();
    const escaped = character === "\\" ? input.take() : undefined;
    text += escaped === undefined ? character : (ESCAPES.get(escaped) ?? escaped);
  }
  return text;
}
