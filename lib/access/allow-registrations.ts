import { Stack } from "aws-cdk-lib";
import { GRANTS } from "../../src/ports/deployment/grants.ts";
import { registrationsPath } from "../../src/ports/deployment/parameter-names.ts";
import type { RegistrationKind } from "../../src/ports/registrations/registrations.ts";
import type { OutliveFunction } from "../outlive-function.ts";

/** Lets a function read which principals are registered. A request for a path needs access to the path itself. */
export function allowRegistrations(
  reader: OutliveFunction,
  { stage, kind }: { readonly stage: string; readonly kind: RegistrationKind },
): void {
  const resourceName = registrationsPath(stage, kind).slice(1);
  reader.allow(GRANTS.readRegistrations, [
    Stack.of(reader).formatArn({ service: "ssm", resource: "parameter", resourceName }),
  ]);
}
