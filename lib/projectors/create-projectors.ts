import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { type CapacitySettings, projectConcurrency } from "../capacity/capacity-settings.ts";
import { OutliveFunction, type OutliveFunctionProps, type StageOfFunctions } from "../outlive-function.ts";

/** What the projectors need, those in use and those of a trial. */
export const PROJECTOR = {
  memory: 1024,
  projectTimeout: Duration.minutes(5),
  /** For ten log items at once. A failed message returns after six times this time. */
  refoldTimeout: Duration.minutes(1),
  refoldBatch: 10,
  /**
   * Five hours of six minutes each: longer than an outage, shorter than a defect may stay unnoticed in the dead-letter
   * queue. ProjectionIncomplete reports it before.
   */
  refoldReceives: 50,
} as const;

/** The stage that projectors belong to. */
export interface ProjectorStage extends StageOfFunctions {
  readonly capacity: CapacitySettings;
}

/** What differs between the projectors in use and those of a trial. */
type ProjectorOptions<Name extends "project" | "refold"> = Pick<
  OutliveFunctionProps<Name>,
  "description" | "versions" | "environment"
>;

/** The function that projects new log items. */
export function createProject(
  scope: Construct,
  { stage, tracing, capacity }: ProjectorStage,
  options: ProjectorOptions<"project">,
): OutliveFunction {
  return new OutliveFunction(scope, "Project", {
    ...options,
    name: "project",
    stage,
    tracing,
    memory: PROJECTOR.memory,
    timeout: PROJECTOR.projectTimeout,
    ...(capacity.reserveConcurrency && { reservedConcurrency: projectConcurrency(capacity) }),
  });
}

/** The function that retries log items that could not be projected. */
export function createRefold(
  scope: Construct,
  { stage, tracing, capacity }: ProjectorStage,
  options: ProjectorOptions<"refold">,
): OutliveFunction<"refold"> {
  return new OutliveFunction(scope, "Refold", {
    ...options,
    name: "refold",
    stage,
    tracing,
    memory: PROJECTOR.memory,
    timeout: PROJECTOR.refoldTimeout,
    ...(capacity.reserveConcurrency && { reservedConcurrency: capacity.refoldConcurrency }),
  });
}
