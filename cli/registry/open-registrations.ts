import { createSsmClient } from "../../src/adapters/ssm/ssm-client.ts";
import { createSsmRegistrations } from "../../src/adapters/ssm/ssm-registrations.ts";
import type { Registrations } from "../../src/ports/registrations/registrations.ts";

/** The IAM principals that are registered in a stage. */
export function openRegistrations({ stage }: { readonly stage: string }): Registrations {
  return createSsmRegistrations(createSsmClient(), stage);
}
