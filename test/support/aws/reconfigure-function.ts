import {
  GetFunctionConfigurationCommand,
  type LambdaClient,
  PublishVersionCommand,
  UpdateAliasCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from "@aws-sdk/client-lambda";

/** The alias that event sources and the API invoke (lib/live-alias.ts). */
const LIVE = "live";

/** Sets variables of a function in addition to its own, in a version to which its alias then points. */
export async function reconfigureFunction(
  lambda: LambdaClient,
  FunctionName: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const Variables = { ...Environment?.Variables, ...variables };
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 60 }, { FunctionName });
  const { Version } = await lambda.send(new PublishVersionCommand({ FunctionName }));
  await lambda.send(new UpdateAliasCommand({ FunctionName, Name: LIVE, FunctionVersion: Version }));
}
