import { parseSync } from "vite";

/** A node of the syntax tree (ESTree with TypeScript), with its place in the text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** The syntax tree of TypeScript source. Throws for source that is not valid. */
export function parseSource(text: string): SyntaxNode {
  const { program, errors } = parseSync("source.ts", text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`Cannot parse the source: ${error.message}`);
  return program as unknown as SyntaxNode;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The node in a field of `parent`, if there is one. */
export function childOf(parent: SyntaxNode, field: string): SyntaxNode | undefined {
  const child = parent[field];
  return isNode(child) ? child : undefined;
}

/** The nodes directly below `parent`, in the order of its fields. */
export function childrenOf(parent: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(parent).flatMap((value) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter(isNode);
  });
}
