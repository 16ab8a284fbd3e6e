import type { RegistrationKind } from "../registrations/registrations.ts";

/** The name of a stage: 1 to 16 characters. */
export const STAGE_NAME = /^[a-z][a-z0-9-]{0,15}$/;

/** The parameter that names what a stage consists of. `outlive --stage` finds the deployment by it. */
export function outputsParameter(stage: string): string {
  return `${pathOf(stage)}/outputs`;
}

/** The path of the parameters with the registrations of a kind. Each ends with the unique id of a principal. */
export function registrationsPath(stage: string, kind: RegistrationKind): string {
  return `${pathOf(stage)}/${kind}`;
}

function pathOf(stage: string): string {
  return `/outlive/${stage}`;
}
