import { type ParsedSelector, parseSelector, SelectorSyntaxError } from "./selector-text.ts";

/**
 * The syntax of `kubectl -l` (k8s.io/apimachinery/pkg/labels): `=`, `==`, `!=`, `in`, `notin`, `>`, `<`, `key` and
 * `!key`, separated by commas.
 */
export type LabelSelector = readonly LabelRequirement[];
export type LabelRequirement =
  | { readonly key: string; readonly operator: "exists" | "notExists" }
  | { readonly key: string; readonly operator: "in" | "notIn"; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: "greaterThan" | "lessThan"; readonly bound: number };

export function parseLabelSelector(text: string): ParsedSelector<LabelSelector> {
  return parseSelector(() => readRequirements(new Tokens(text)));
}

/** Whether labels match every requirement. As upstream, an absent label matches `!=` and `notin`. */
export function matchesLabels(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return selector.every((requirement) =>
    matches(requirement, Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined),
  );
}

function matches(requirement: LabelRequirement, value: string | undefined): boolean {
  switch (requirement.operator) {
    case "exists":
      return value !== undefined;
    case "notExists":
      return value === undefined;
    case "in":
      return value !== undefined && requirement.values.includes(value);
    case "notIn":
      return value === undefined || !requirement.values.includes(value);
    case "greaterThan":
      return wholeNumber(value) > requirement.bound;
    case "lessThan":
      return wholeNumber(value) < requirement.bound;
  }
}

const WHOLE_NUMBER = /^[+-]?\d+$/;

/** NaN, which compares with nothing, for an absent label and other text. */
function wholeNumber(value: string | undefined): number {
  return value !== undefined && WHOLE_NUMBER.test(value) ? Number(value) : Number.NaN;
}

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_PREFIX_LENGTH = 253;

type TokenKind = "word" | "symbol" | "end";
interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

/** The words and symbols of a selector. */
class Tokens {
  readonly #tokens: readonly Token[];
  #next = 0;
  constructor(text: string) {
    this.#tokens = [...text.matchAll(/==|!=|[=!<>(),]|[^\s=!<>(),]+/g)].map((match) => ({
      kind: /^[=!<>(),]/.test(match[0]) ? "symbol" : "word",
      text: match[0],
      at: match.index,
    }));
    this.#end = { kind: "end", text: "", at: text.length };
  }
  readonly #end: Token;

  get peek(): Token {
    return this.#tokens[this.#next] ?? this.#end;
  }
  atEnd(): boolean {
    return this.peek.kind === "end";
  }
  take(): Token {
    const token = this.peek;
    this.#next += 1;
    return token;
  }
  /** Consumes the next token if it is the symbol `text`. */
  takes(text: string): boolean {
    const is = this.peek.kind === "symbol" && this.peek.text === text;
    if (is) this.#next += 1;
    return is;
  }
}

function readRequirements(tokens: Tokens): LabelSelector {
  const requirements: LabelRequirement[] = [];
  if (!tokens.atEnd()) requirements.push(...readList(tokens));
  if (!tokens.atEnd()) throw unexpected(tokens.peek, "a comma or the end");
  return requirements;
}

function readList(tokens: Tokens): readonly LabelRequirement[] {
  const requirements = [readRequirement(tokens)];
  while (tokens.takes(",")) requirements.push(readRequirement(tokens));
  return requirements;
}

function readRequirement(tokens: Tokens): LabelRequirement {
  const absent = tokens.takes("!");
  const key = readKey(tokens);
  if (absent) return { key, operator: "notExists" };
  const operator = tokens.peek;
  if (endsRequirement(operator)) return { key, operator: "exists" };
  tokens.take();
  switch (operator.text) {
    case "=":
    case "==":
      return { key, operator: "in", values: [readValue(tokens)] };
    case "!=":
      return { key, operator: "notIn", values: [readValue(tokens)] };
    case "in":
      return { key, operator: "in", values: readValues(tokens) };
    case "notin":
      return { key, operator: "notIn", values: readValues(tokens) };
    case ">":
      return { key, operator: "greaterThan", bound: readBound(tokens) };
    case "<":
      return { key, operator: "lessThan", bound: readBound(tokens) };
  }
  throw unexpected(operator, "one of =, ==, !=, in, notin, <, >, a comma or the end");
}

function readKey(tokens: Tokens): string {
  const token = tokens.take();
  if (token.kind !== "word") throw unexpected(token, "a label's key");
  const slash = token.text.indexOf("/");
  const prefix = slash < 0 ? undefined : token.text.slice(0, slash);
  if (prefix !== undefined && (prefix.length > MAX_PREFIX_LENGTH || !PREFIX.test(prefix))) {
    throw new SelectorSyntaxError(token.at, `"${prefix}" is not a valid label prefix (a DNS subdomain)`);
  }
  const name = token.text.slice(slash + 1);
  if (!NAME.test(name)) throw new SelectorSyntaxError(token.at + slash + 1, notALabel(name, "key"));
  return token.text;
}

/** A value may be empty: `key=` matches the empty value. */
function readValue(tokens: Tokens): string {
  const token = tokens.peek;
  if (endsRequirement(token)) return "";
  if (token.kind !== "word") throw unexpected(token, "a value");
  return readWord(tokens);
}

function endsRequirement({ kind, text }: Token): boolean {
  return kind === "end" || text === ",";
}

function readWord(tokens: Tokens): string {
  const { text, at } = tokens.take();
  if (!NAME.test(text)) throw new SelectorSyntaxError(at, notALabel(text, "value"));
  return text;
}

function readValues(tokens: Tokens): readonly string[] {
  if (!tokens.takes("(")) throw unexpected(tokens.peek, `"("`);
  const values = new Set<string>();
  do values.add(tokens.peek.kind === "word" ? readWord(tokens) : "");
  while (tokens.takes(","));
  if (!tokens.takes(")")) throw unexpected(tokens.peek, `a comma or ")"`);
  return [...values];
}

function readBound(tokens: Tokens): number {
  const token = tokens.take();
  if (!WHOLE_NUMBER.test(token.text)) throw unexpected(token, "a whole number");
  return Number(token.text);
}

function unexpected(found: Token, expected: string): SelectorSyntaxError {
  return new SelectorSyntaxError(
    found.at,
    `expected ${expected}, found ${found.kind === "end" ? "the end" : `"${found.text}"`}`,
  );
}

function notALabel(text: string, what: "key" | "value"): string {
  return (
    `"${text}" is not a valid label ${what} (at most 63 letters, ` +
    `digits, "-", "_" and "."; begins and ends with a letter or digit)`
  );
}
