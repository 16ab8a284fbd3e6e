/** Why a selector is invalid. `at` is the position of the error, counted from 0. */
export interface SelectorProblem {
  readonly at: number;
  readonly problem: string;
}

export type ParsedSelector<Selector> =
  | { readonly outcome: "parsed"; readonly selector: Selector }
  | ({ readonly outcome: "rejected" } & SelectorProblem);

/** A syntax error in a selector. {@link parseSelector} catches it. */
export class SelectorSyntaxError extends Error {
  override readonly name = "SelectorSyntaxError";
  readonly at: number;
  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
  }
}

export function parseSelector<Selector>(read: () => Selector): ParsedSelector<Selector> {
  try {
    return { outcome: "parsed", selector: read() };
  } catch (cause) {
    if (cause instanceof SelectorSyntaxError) return { outcome: "rejected", at: cause.at, problem: cause.message };
    throw cause;
  }
}

/** The problem with the selector and a mark at the error. Of a long selector, only the part around the mark. */
export function pointAt(text: string, { at, problem }: SelectorProblem): string {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const marked = `${shorten(before, -AROUND)}>>>${shorten(after, AROUND)}`;
  return `${shorten(problem, MOST)} at character ${at + 1} of "${shorten(text, MOST)}": "${marked}"`;
}

/** How many characters of a selector a problem repeats. */
const MOST = 200;
const AROUND = 80;

/** The first `length` characters; the last ones if it is negative. */
function shorten(text: string, length: number): string {
  if (text.length <= Math.abs(length)) return text;
  return length < 0 ? `...${text.slice(length)}` : `${text.slice(0, length)}...`;
}
