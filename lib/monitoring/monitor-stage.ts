import type { RestApi, RestApiBase } from "aws-cdk-lib/aws-apigateway";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";

/** What Outlive needs of the `MonitoringFacade` of cdk-monitoring-constructs, which the package does not depend on. */
export interface MonitoringFacade {
  addLargeHeader(text: string): unknown;
  monitorSqsQueue(props: { readonly queue: Queue; readonly humanReadableName: string }): unknown;
  monitorLambdaFunction(props: { readonly lambdaFunction: LambdaFunction }): unknown;
  monitorDynamoTable(props: { readonly table: ITable }): unknown;
  monitorApiGateway(props: { readonly api: RestApiBase; readonly apiStage?: string }): unknown;
  monitorStepFunction(props: { readonly stateMachine: StateMachine }): unknown;
}

export interface MonitoredStage {
  readonly stage: string;
  readonly queue: Queue;
  readonly deadLetters: readonly Queue[];
  readonly functions: readonly LambdaFunction[];
  readonly tables: readonly ITable[];
  readonly api: RestApi;
  readonly replay: StateMachine;
}

/** Adds the parts of a stage to a dashboard, in the order of the data flow. */
export function monitorStage(facade: MonitoringFacade, monitored: MonitoredStage): void {
  const { stage, queue, deadLetters, functions, tables, api, replay } = monitored;
  facade.addLargeHeader(`Outlive ${stage}`);
  facade.monitorSqsQueue({ queue, humanReadableName: "Segments" });
  for (const each of deadLetters) facade.monitorSqsQueue({ queue: each, humanReadableName: each.node.path });
  for (const lambdaFunction of functions) facade.monitorLambdaFunction({ lambdaFunction });
  for (const table of tables) facade.monitorDynamoTable({ table });
  facade.monitorApiGateway({ api, apiStage: api.deploymentStage.stageName });
  facade.monitorStepFunction({ stateMachine: replay });
}
