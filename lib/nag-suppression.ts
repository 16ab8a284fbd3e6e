import { CfnElement, Stack, Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Says why a rule of cdk-nag's AwsSolutions does not hold for a construct and what is in it. Written where the decision is made, so that both are read together. */
export function suppressNag(scope: IConstruct, rule: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
}

/** Says why a role may name what belongs to `owner` by a pattern (rule IAM5, which wants each pattern accepted by name). */
export function acceptPattern(role: IConstruct, owner: IConstruct, pattern: string, reason: string): void {
  const { defaultChild } = owner.node;
  if (!CfnElement.isCfnElement(defaultChild)) throw new TypeError(`${owner.node.path} is no single resource.`);
  suppressNag(role, `IAM5[Resource::<${Stack.of(role).getLogicalId(defaultChild)}.Arn>${pattern}]`, reason);
}
