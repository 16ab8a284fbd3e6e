import { sentence } from "../../job/text/sentence.ts";
import type { Clause } from "./clause.ts";

/** The most words of a headline. Details go into rows below it. */
export const MAX_HEADLINE_WORDS = 25;

/** A state and its clauses in one line, the most important clause first. */
export function lineOf(state: string, clauses: readonly Clause[], maxWords = MAX_HEADLINE_WORDS): string {
  return sentence([state, ...fitting(state, clauses, maxWords)].join("; "));
}

/** A state that may have changed since the cluster fell silent is called the last known one. */
export function lastKnown(state: string, heardAt: string): string {
  return `Last known state, as of ${heardAt}: ${state}`;
}

/**
 * The clauses that fit into the line, in order. A clause that is too long is shortened. If even its shortest form does
 * not fit, it is left out unless it is necessary.
 */
function fitting(state: string, [first, ...others]: readonly Clause[], maxWords: number): readonly string[] {
  if (first === undefined) return [];
  const clauses = [{ ...first, necessary: true }, ...others];
  let words = wordsOf(state) + sumOf(clauses.filter(({ necessary }) => necessary === true).map(briefOf));
  const kept: string[] = [];
  let isPreviousKept = true;
  for (const clause of clauses) {
    const reserved = clause.necessary === true ? wordsOf(briefOf(clause)) : 0;
    const isAllowed: boolean = isPreviousKept || clause.follows !== true;
    const text: string = isAllowed ? formOf(clause, maxWords - words + reserved) : "";
    isPreviousKept = text !== "";
    if (text === "") continue;
    words += wordsOf(text) - reserved;
    kept.push(text);
  }
  return kept;
}

/**
 * The longest form that has at most this many words. If none fits: the shortest form of a necessary clause, or
 * `undefined`.
 */
function formOf(clause: Clause, maxWords: number): string {
  const { full, short = full, necessary } = clause;
  const brief = briefOf(clause);
  const fits = [full, short, brief].find((form) => wordsOf(form) <= maxWords);
  return fits ?? (necessary === true ? brief : "");
}

function briefOf({ full, brief = full }: Clause): string {
  return brief;
}

function sumOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + wordsOf(text), 0);
}

function wordsOf(text: string): number {
  return text.split(/\s+/).length;
}
