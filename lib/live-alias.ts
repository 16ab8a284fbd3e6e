import { Alias, type Function as LambdaFunction, type IFunction, Version } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";

/** The name of each alias. */
const LIVE = "live";

export type LiveAlias = Alias & IFunction;

/**
 * The alias `live` of a function: the published version in use. Each deployment with other code or configuration
 * publishes a version, and CloudFormation deletes the previous one (a region keeps at most 75 GB of code; Lambda
 * quotas), except of functions that can be kept. With `keptVersion`, the alias stays at that one.
 */
export function createLiveAlias(scope: Construct, lambda: LambdaFunction, keptVersion?: string): LiveAlias {
  const published = lambda.currentVersion.version;
  const version = keptVersion ?? published;
  const alias: unknown = new Alias(scope, "Live", {
    aliasName: LIVE,
    version: Version.fromVersionAttributes(scope, "LiveVersion", { lambda, version }),
  });
  if (!isLiveAlias(alias)) throw new TypeError(`The alias Live of ${scope.node.path} has no version.`);
  return alias;
}

/** The CDK declares optional properties of `Alias` in a way that its own `IFunction` does not admit. */
function isLiveAlias(alias: unknown): alias is LiveAlias {
  return alias instanceof Alias;
}
