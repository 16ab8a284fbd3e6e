import { Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { GRANTS } from "../src/ports/deployment/grants.ts";
import { suppressNag } from "./nag-suppression.ts";
import type { LiveAlias } from "./live-alias.ts";
import { sumOf } from "./monitoring/metric-math.ts";
import type { OutliveFunction } from "./outlive-function.ts";

/**
 * The functions whose new versions get a canary deployment: those that a tenth of five minutes tests. In the reference
 * fleet (docs/scale.md), ingest takes 11 batches a second, so that the new version gets some 340. Readers send more
 * than ten requests a second: 300.
 *
 * The others are invoked too rarely. In five minutes, the sweep runs four times, and the page function serves some
 * twenty files. The audit, the archive and the retain function run every quarter of an hour, so that a new version
 * would most likely get no invocation. The replay function runs only during a rebuild.
 *
 * Three run often and are excluded: two versions of the projectors must not write one projection (compare a new one
 * first: docs/operations.md, "A new projector"), and one version of the count function could not subtract what another
 * one added.
 */
type CanaryFunctions = Readonly<Record<"Query" | "Ingest", OutliveFunction>>;

/** Which versions ingest publishes. A queue sends a batch again, so a stage without canaries needs none. */
export function triedVersions(isTried = false): "replaced" | undefined {
  return isTried ? "replaced" : undefined;
}

export interface CanaryProps {
  readonly functions: CanaryFunctions;
  /** A failed query is an answer with status 500, not an error of the function. */
  readonly api: RestApi;
}

const MINUTE = Duration.minutes(1);

/**
 * A new version of a function first gets one invocation in ten, for five minutes (CodeDeploy,
 * LambdaCanary10Percent5Minutes). If the previous or the new version fails during this time, the previous one gets all
 * invocations again, and CloudFormation rolls back the whole stack.
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { functions, api }: CanaryProps) {
    super(scope, id);
    const application = new LambdaApplication(this, "Application");
    const aliases = Object.entries(functions).map(([name, each]) => [name, aliasOf(each)] as const);
    const role = this.#role(aliases.map(([, { functionArn }]) => functionArn));
    const alarm = this.#alarm([
      ...aliases.map(([, alias]) => alias.metricErrors({ period: MINUTE })),
      api.metricServerError({ period: MINUTE, statistic: "Sum" }),
    ]);
    for (const [name, alias] of aliases) {
      new LambdaDeploymentGroup(this, name, {
        application,
        // Without this, the construct attaches a policy of AWS that permits more.
        role: role.withoutPolicyUpdates(),
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [alarm],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
    }
  }

  #role(aliasArns: readonly string[]): Role {
    const statements = [
      new PolicyStatement({ actions: [...GRANTS.shiftVersions], resources: [...aliasArns] }),
      new PolicyStatement({ actions: [...GRANTS.readAlarms], resources: ["*"] }),
    ];
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
      description: "Shifts invocations between versions of Outlive's functions",
      inlinePolicies: { Permissions: new PolicyDocument({ statements }) },
    });
    suppressNag(
      role,
      "IAM5[Resource::*]",
      "CodeDeploy reads the alarms of a deployment in one request, without names.",
    );
    return role;
  }

  /** One failure in a minute. It has no action: it only stops a deployment. */
  #alarm(failures: readonly IMetric[]): Alarm {
    return new Alarm(this, "Fails", {
      alarmDescription: "Rolls back a deployment that is in progress. At other times it means nothing by itself.",
      metric: sumOf(failures, { label: "Failures", period: MINUTE }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

function aliasOf({ alias, node }: OutliveFunction): LiveAlias {
  if (alias === undefined) throw new TypeError(`Function ${node.path} has no alias. Publish its versions.`);
  return alias;
}
