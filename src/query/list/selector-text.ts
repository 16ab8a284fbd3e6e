/** Why a selector cannot be read, and where: `at` counts characters from 0. */
export interface SelectorProblem {
  readonly at: number;
  readonly problem: string;
}

export type ParsedSelector<Selector> =
  | { readonly outcome: "parsed"; readonly selector: Selector }
  | ({ readonly outcome: "rejected" } & SelectorProblem);

/** Ends the reading of a selector from however deep it has got; caught where the reading began. */
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

/** The selector with a mark where it stopped making sense; of a long one, what is around the mark. */
export function pointAt(text: string, { at, problem }: SelectorProblem): string {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const shown = `${cut(before, -AROUND)}>>>${cut(after, AROUND)}`;
  return `${cut(problem, MOST)} at character ${at + 1} of "${cut(text, MOST)}": "${shown}"`;
}

/** Characters of a selector that a problem repeats: who wrote more knows what they wrote. */
const MOST = 200;
const AROUND = 80;

/** The first `length` characters; the last where it is negative. */
function cut(text: string, length: number): string {
  if (text.length <= Math.abs(length)) return text;
  return length < 0 ? `...${text.slice(length)}` : `${text.slice(0, length)}...`;
}
