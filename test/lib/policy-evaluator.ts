import type { Synthesised } from "./synthesised.ts";

export interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

interface Policy {
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
}

/** A request to DynamoDB for items of one partition. */
export interface ItemRequest {
  readonly action: string;
  /** The construct path of the table. */
  readonly table: string;
  readonly partition: string;
}

/** The statements of a role by its construct path: of its inline policies, and of policies that are attached to it. */
export function statementsOf({ resources }: Synthesised, role: string): readonly Statement[] {
  return [...resources.values()]
    .flatMap(({ type, path, properties }) => {
      if (type === "AWS::IAM::Role" && path === role) return (properties["Policies"] ?? []) as readonly Policy[];
      if (type !== "AWS::IAM::Policy") return [];
      const { Roles } = properties as { readonly Roles: readonly { readonly Ref: string }[] };
      return Roles.some(({ Ref }) => resources.get(Ref)?.path === role) ? [properties as unknown as Policy] : [];
    })
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/**
 * Whether a role may send a request, as IAM decides: a statement that denies wins, otherwise one must allow (IAM User
 * Guide, "Policy evaluation logic"). It knows the conditions on partition keys, and refuses to judge others.
 */
export function isAllowed(stack: Synthesised, role: string, request: ItemRequest): boolean {
  const matching = statementsOf(stack, role).filter((statement) => matches(stack, statement, request));
  return matching.length > 0 && matching.every(({ Effect }) => Effect === "Allow");
}

function matches({ resources }: Synthesised, statement: Statement, { action, table, partition }: ItemRequest): boolean {
  if (![statement.Action].flat().includes(action)) return false;
  const isOfTable = [statement.Resource].flat().some((resource) => {
    const { "Fn::GetAtt": [logicalId, attribute] = [] } = resource as { "Fn::GetAtt"?: readonly [string, string] };
    return attribute === "Arn" && logicalId !== undefined && resources.get(logicalId)?.path === table;
  });
  return isOfTable && Object.entries(statement.Condition ?? {}).every((each) => holds(each, partition));
}

/** A request for one item has one leading key, so that `ForAllValues` and `ForAnyValue` decide the same. */
function holds([operator, condition]: readonly [string, object], partition: string): boolean {
  const [[key, patterns] = ["", []], ...more] = Object.entries(condition) as [string, string | readonly string[]][];
  const isKnown = /^For(All|Any)Values?:StringLike$/.test(operator) && key === "dynamodb:LeadingKeys";
  if (!isKnown || more.length > 0) throw new TypeError(`Unknown condition ${operator} of ${key}.`);
  return [patterns].flat().some((pattern) => isLike(partition, pattern));
}

/** StringLike, for the patterns of the stack: `*` is any text, and only the last character. */
function isLike(text: string, pattern: string): boolean {
  if (/[*?]./.test(pattern)) throw new TypeError(`Unknown pattern ${pattern}.`);
  return pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
