import { type Change, changesOf } from "./operators.ts";
import { childOf, childrenOf, parseSource, type SyntaxNode } from "./syntax.ts";

/** A source file with one wrong place. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly operator: string;
  /** The text that was replaced, and its replacement, each on one line. */
  readonly before: string;
  readonly after: string;
  /** The line of the change, and which of the equal changes of equal lines this is: 1 for the first of the file. */
  readonly code: string;
  readonly occurrence: number;
  /** The whole text of the file with the change. */
  readonly source: string;
}

/** All mutants of a file, in the order of its text. */
export function findMutants(file: string, source: string): readonly Mutant[] {
  const changes = [...changesBelow(parseSource(source), source)];
  const sorted = changes.sort((a, b) => a.start - b.start || a.end - b.end);
  const seen = new Map<string, number>();
  return sorted.map((change) => {
    const mutant = mutantOf(file, source, change);
    const occurrence = (seen.get(mutantKey(mutant)) ?? 0) + 1;
    seen.set(mutantKey(mutant), occurrence);
    return { ...mutant, occurrence };
  });
}

function* changesBelow(node: SyntaxNode, source: string): Generator<Change> {
  if (isInert(node)) return;
  yield* changesOf(node, source);
  for (const child of childrenOf(node)) if (!isName(node, child)) yield* changesBelow(child, source);
}

/** Types, imports and the text of errors do not decide anything that a test of behaviour sees. */
function isInert(node: SyntaxNode): boolean {
  if (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression") return false;
  if (node.type.startsWith("TS") || node.type === "ImportDeclaration") return true;
  if (node.type.startsWith("Export") && childOf(node, "source") !== undefined) return true;
  return node.type === "NewExpression" && String(childOf(node, "callee")?.["name"]).endsWith("Error");
}

/** Whether a child is a key, or the value of the `name` of an error class. */
function isName(parent: SyntaxNode, child: SyntaxNode): boolean {
  if (parent["computed"] === true) return false;
  if (child === parent["key"]) return true;
  return parent.type === "PropertyDefinition" && childOf(parent, "key")?.["name"] === "name";
}

function mutantOf(file: string, source: string, { operator, start, end, text }: Change): Mutant {
  const lines = source.slice(0, start).split("\n");
  return {
    file,
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    operator,
    before: oneLine(source.slice(start, end)),
    after: oneLine(text),
    code: source.split("\n")[lines.length - 1]?.trim() ?? "",
    occurrence: 1,
    source: source.slice(0, start) + text + source.slice(end),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** Names a mutant independently of the number of its line, so that results outlive changes elsewhere in the file. */
export function mutantKey({ file, code, before, after, occurrence }: Omit<Mutant, "source">): string {
  const change = `${file}: ${code}: ${before} -> ${after === "" ? "(nothing)" : after}`;
  return occurrence === 1 ? change : `${change} (${occurrence})`;
}
