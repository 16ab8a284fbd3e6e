/**
 * Whether a log event matches a JSON filter pattern of CloudWatch Logs: comparisons `($.a.b = "text")` with `&&`, `||`
 * and parentheses. Throws on anything else.
 */
export function matchesPattern(pattern: string, message: string): boolean {
  const tokens = tokensOf(pattern);
  const event = JSON.parse(message) as unknown;
  const result = anyOf(tokens, event);
  if (tokens.length > 0) throw new SyntaxError(`Unexpected ${tokens.join(" ")}`);
  return result;
}

const TOKEN = /\s*(\$[.\w]+ = "[^"]*"|&&|\|\||[()])\s*/y;

function tokensOf(pattern: string): string[] {
  const body = /^\{ (.*) \}$/.exec(pattern)?.[1];
  if (body === undefined) throw new SyntaxError("Not a JSON filter pattern.");
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < body.length;) {
    const token = TOKEN.exec(body)?.[1];
    if (token === undefined) throw new SyntaxError(`Unexpected text in ${body}`);
    tokens.push(token);
  }
  return tokens;
}

function anyOf(tokens: string[], event: unknown): boolean {
  let result = allOf(tokens, event);
  while (tokens[0] === "||") {
    tokens.shift();
    result = allOf(tokens, event) || result;
  }
  return result;
}

function allOf(tokens: string[], event: unknown): boolean {
  let result = one(tokens, event);
  while (tokens[0] === "&&") {
    tokens.shift();
    result = one(tokens, event) && result;
  }
  return result;
}

function one(tokens: string[], event: unknown): boolean {
  const token = tokens.shift() ?? "";
  if (token === "(") {
    const result = anyOf(tokens, event);
    if (tokens.shift() !== ")") throw new SyntaxError("A parenthesis is not closed.");
    return result;
  }
  const [, path = "", text] = /^\$\.([.\w]+) = "([^"]*)"$/.exec(token) ?? [];
  if (text === undefined) throw new SyntaxError(`Unexpected ${token}`);
  let value: unknown = event;
  for (const field of path.split(".")) {
    value =
      typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[field] : undefined;
  }
  return value === text;
}
