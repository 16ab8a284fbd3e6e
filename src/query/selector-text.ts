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

/** The selector with a caret under the character at which it stopped making sense. */
export function pointAt(text: string, { at, problem }: SelectorProblem): string {
  return `${problem} at character ${at + 1} of "${text}": "${text.slice(0, at)}>>>${text.slice(at)}"`;
}
