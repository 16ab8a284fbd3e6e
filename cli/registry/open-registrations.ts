import { createSsmClient } from "../../src/adapters/ssm/ssm-client.ts";
import { createSsmRegistrations } from "../../src/adapters/ssm/ssm-registrations.ts";
import type { Registrations } from "../../src/ports/registrations/registrations.ts";
import { type Deployment, readDeployment } from "../deployment/deployment.ts";

export interface StageRegistry {
  readonly registrations: Registrations;
  readonly deployment: Deployment;
}

/**
 * The IAM principals that are registered in a stage, which must exist: what is registered for a name that nobody
 * deployed would count once somebody does.
 */
export async function openRegistrations(stage: string): Promise<StageRegistry> {
  const deployment = await readDeployment(stage);
  return { registrations: createSsmRegistrations(createSsmClient(), stage), deployment };
}
