import {
  GetFunctionConfigurationCommand,
  type LambdaClient,
  ListAliasesCommand,
  PublishVersionCommand,
  UpdateAliasCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from "@aws-sdk/client-lambda";

/** The alias that event sources and the API invoke, if a function has one (lib/live-alias.ts). */
const LIVE = "live";

/** Sets variables of a function in addition to its own, also in a version to which its alias then points, if any. */
export async function reconfigureFunction(
  lambda: LambdaClient,
  name: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const [FunctionName = name] = name.split(":");
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const Variables = { ...Environment?.Variables, ...variables };
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 60 }, { FunctionName });
  const { Aliases = [] } = await lambda.send(new ListAliasesCommand({ FunctionName }));
  if (!Aliases.some(({ Name }) => Name === LIVE)) return;
  const { Version } = await lambda.send(new PublishVersionCommand({ FunctionName }));
  await lambda.send(new UpdateAliasCommand({ FunctionName, Name: LIVE, FunctionVersion: Version }));
}
