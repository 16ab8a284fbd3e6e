import {
  DeleteParameterCommand,
  paginateGetParametersByPath,
  type Parameter,
  PutParameterCommand,
  type SSMClient,
} from "@aws-sdk/client-ssm";
import { registrationsPath } from "../../ports/deployment/parameter-names.ts";
import type {
  NewRegistration,
  Registration,
  RegistrationKind,
  Registrations,
} from "../../ports/registrations/registrations.ts";
import { awsError } from "../aws/aws-error.ts";

/** The most that `GetParametersByPath` returns at once. */
const PAGE = 10;

/** The registrations of a stage. Every method throws an AwsError. */
export function createSsmRegistrations(client: SSMClient, stage: string): Registrations {
  return {
    list: async (kind) => listBelow(client, registrationsPath(stage, kind)),
    write: async (kind, registration) => write(client, nameOf(stage, kind, registration.principalId), registration),
    remove: async (kind, principalId) => remove(client, nameOf(stage, kind, principalId)),
  };
}

function nameOf(stage: string, kind: RegistrationKind, principalId: string): string {
  return `${registrationsPath(stage, kind)}/${principalId}`;
}

async function listBelow(client: SSMClient, path: string): Promise<readonly Registration[]> {
  const found: Registration[] = [];
  try {
    for await (const { Parameters = [] } of paginateGetParametersByPath({ client, pageSize: PAGE }, { Path: path })) {
      found.push(...Parameters.map(registrationIn));
    }
  } catch (cause) {
    throw awsError(`Parameters ${path}`, cause);
  }
  return found;
}

function registrationIn({ Name = "", Value = "", LastModifiedDate }: Parameter): Registration {
  return { principalId: Name.slice(Name.lastIndexOf("/") + 1), value: Value, at: LastModifiedDate?.getTime() ?? 0 };
}

async function write(client: SSMClient, name: string, { value, isNew = false }: NewRegistration) {
  try {
    await client.send(new PutParameterCommand({ Name: name, Value: value, Type: "String", Overwrite: !isNew }));
    return "written";
  } catch (cause) {
    if (cause instanceof Error && cause.name === "ParameterAlreadyExists") return "exists";
    throw awsError(`Parameter ${name}`, cause);
  }
}

async function remove(client: SSMClient, name: string) {
  try {
    await client.send(new DeleteParameterCommand({ Name: name }));
    return "removed";
  } catch (cause) {
    if (cause instanceof Error && cause.name === "ParameterNotFound") return "absent";
    throw awsError(`Parameter ${name}`, cause);
  }
}
