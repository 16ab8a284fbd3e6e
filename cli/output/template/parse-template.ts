import { type ParsedSelector, parseSelector, SelectorSyntaxError } from "../../../src/query/list/selector-text.ts";
import type { JsonPath } from "./json-path.ts";
import { parsePath, parseQuoted } from "./parse-path.ts";
import { TemplateText } from "./template-text.ts";

/** A template of `kubectl -o jsonpath=`: text with paths in braces. */
export type Template = readonly TemplatePart[];
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "path"; readonly path: JsonPath }
  | { readonly kind: "range"; readonly path: JsonPath; readonly body: Template };

/** Parses a template. Never evaluates text of it as code. */
export function parseTemplate(text: string): ParsedSelector<Template> {
  return parseSelector(() => readParts(new TemplateText(text)));
}

/** An expression of `custom-columns`: a path with or without braces and a leading dot. */
export function parseColumnPath(text: string): ParsedSelector<JsonPath> {
  return parseSelector(() => {
    const input = new TemplateText(text);
    const inBraces = input.takes("{");
    input.skipSpaces();
    const path = parsePath(input, { relaxed: true });
    if (inBraces && !input.takes("}")) throw input.unexpected('"}"');
    if (!input.atEnd()) throw input.unexpected("the end of the path");
    return path;
  });
}

interface OpenRange {
  readonly path: JsonPath;
  readonly at: number;
  readonly parts: TemplatePart[];
}

function readParts(input: TemplateText): Template {
  const root: TemplatePart[] = [];
  const open: OpenRange[] = [];
  const add = (part: TemplatePart): unknown => (open.at(-1)?.parts ?? root).push(part);
  while (!input.atEnd()) {
    const text = input.takeWhile((character) => character !== "{");
    if (text !== "") add({ kind: "text", text });
    if (input.takes("{")) readAction(input, { add, open });
  }
  const unended = open.at(-1);
  if (unended !== undefined) throw new SelectorSyntaxError(unended.at, 'this range has no "{end}"');
  return root;
}

interface Action {
  readonly add: (part: TemplatePart) => unknown;
  readonly open: OpenRange[];
}

/** What is between braces: texts in quotes, a path, `range PATH` or `end`. */
function readAction(input: TemplateText, action: Action): void {
  const start = input.at - 1;
  for (input.skipSpaces(); !input.takes("}"); input.skipSpaces()) {
    if (input.atEnd()) throw new SelectorSyntaxError(start, 'this "{" has no "}"');
    if (input.peek === '"' || input.peek === "'") action.add({ kind: "text", text: parseQuoted(input) });
    else if (/[a-z]/i.test(input.peek)) readWord(input, action);
    else action.add({ kind: "path", path: parsePath(input) });
  }
}

function readWord(input: TemplateText, { add, open }: Action): void {
  const { at } = input;
  const word = input.takeWhile((character) => /\w/.test(character));
  if (word === "range") {
    input.skipSpaces();
    open.push({ path: parsePath(input), at, parts: [] });
  } else if (word === "end") {
    const range = open.pop();
    if (range === undefined) throw new SelectorSyntaxError(at, '"end" has no "range"');
    add({ kind: "range", path: range.path, body: range.parts });
  } else {
    throw new SelectorSyntaxError(at, `"${word}" is not range or end: a path begins with a dot, as .${word}`);
  }
}
