import { CfnElement, Stack, Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/**
 * States why a rule of cdk-nag's AwsSolutions does not apply to a construct and its children. Call it where the
 * decision is made.
 */
export function suppressNag(scope: IConstruct, rule: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
}

export interface ResourcePattern {
  /** The construct whose ARN the pattern extends. */
  readonly owner: IConstruct;
  /** What follows the ARN, for example `/*`. */
  readonly pattern: string;
}

/** States why a role has access to a resource pattern. Rule IAM5 requires a suppression for each pattern. */
export function acceptPattern(role: IConstruct, { owner, pattern }: ResourcePattern, reason: string): void {
  const { defaultChild } = owner.node;
  if (!CfnElement.isCfnElement(defaultChild)) {
    throw new TypeError(`Cannot suppress IAM5 for ${owner.node.path}: it has no default CloudFormation resource.`);
  }
  suppressNag(role, `IAM5[Resource::<${Stack.of(role).getLogicalId(defaultChild)}.Arn>${pattern}]`, reason);
}

/** States why a role has access to an ARN with a wildcard, which may name resources of this app. */
export function acceptWildcard(role: IConstruct, arn: string, reason: string): void {
  suppressNag(role, `IAM5[Resource::${nagText(role, arn)}]`, reason);
}

/** A text as cdk-nag writes it: what is known only after the deployment is in angle brackets. */
export function nagText(scope: IConstruct, text: string): string {
  return textOf(Stack.of(scope).resolve(text));
}

function textOf(resolved: unknown): string {
  if (typeof resolved === "string") return resolved;
  const { Ref, "Fn::Join": join } = resolved as { readonly Ref?: string; readonly "Fn::Join"?: [string, unknown[]] };
  return Ref === undefined ? (join?.[1] ?? []).map(textOf).join("") : `<${Ref}>`;
}
