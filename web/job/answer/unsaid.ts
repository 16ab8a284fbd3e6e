import type { Finding } from "../../../src/explain/answer-document.ts";

/**
 * Sentences without what `said`, or a sentence before them, contains already. They are compared clause by clause,
 * because a headline joins the same clauses with semicolons. A clause may have a label ("1 Pod waiting: ...") or
 * details in parentheses.
 */
export function unsaid(sentences: readonly string[], said: readonly string[]): readonly string[] {
  const known = said.map(plain);
  const left: string[] = [];
  for (const sentence of sentences) {
    const clauses = clausesOf(sentence);
    const unknown = clauses.filter((clause) => !isSaid(clause, known));
    if (unknown.length > 0) left.push(unknown.length === clauses.length ? sentence : sentenceOf(unknown));
    known.push(plain(sentence));
  }
  return left;
}

/**
 * What a finding adds to the headline of its Job; empty if it adds nothing. The headline of a failed Job names the
 * limit that ended it, which is the first clause of the finding. Of a clause that it contains, new details are left.
 */
export function unsaidFinding({ kind, message }: Pick<Finding, "kind" | "message">, headline: string): string {
  const clauses = clausesOf(message);
  const isLimit = kind === "LimitReached" && headline.startsWith("Failed");
  const left = (isLimit ? clauses.slice(1) : clauses).flatMap((clause) =>
    isSaid(clause, [plain(headline)]) ? newDetails(clause, headline) : [clause],
  );
  return left.length === 0 ? "" : sentenceOf(left);
}

/** The details in parentheses that `said` does not contain. */
function newDetails(clause: string, said: string): readonly string[] {
  return [...clause.matchAll(/\(([^()]*)\)/g)]
    .map(([, detail = ""]) => detail)
    .filter((detail) => !said.includes(detail));
}

/** At least this many words are a statement, not a name or a reason. */
const MIN_WORDS = 3;

function isSaid(clause: string, known: readonly string[]): boolean {
  const text = plain(clause);
  const labels = [...text.matchAll(/: /g)].map(({ index }) => text.slice(index + 2));
  return [text, ...labels].some(
    (one) => one.split(" ").length >= MIN_WORDS && known.some((sentence) => sentence.includes(one)),
  );
}

/** A clause without details in parentheses, capitals and the final period. */
function plain(text: string): string {
  return text
    .replaceAll(/ ?\([^()]*\)/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

function clausesOf(sentence: string): readonly string[] {
  return sentence.replace(/\.$/, "").split("; ");
}

/** Names, such as that of a Pod or a field, keep their first letter. */
function sentenceOf(clauses: readonly string[]): string {
  const text = clauses.join("; ").replace(/\.$/, "");
  return `${/^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text}.`;
}
