import { compareText } from "../../job/model/compare-text.ts";
import type { Instant } from "../../job/model/instant.ts";
import { decodeReader } from "../../ports/registrations/registration-codec.ts";
import type { ReaderRegistration, Registration, Registrations } from "../../ports/registrations/registrations.ts";
import { readGrants } from "./grant-text.ts";
import { type Rights, seesNothing } from "./scope.ts";

/** An IAM principal and what it may read. */
export interface Reader {
  readonly principalId: string;
  readonly grants: readonly string[];
  readonly grantedAt: Instant;
  readonly arn?: string;
}

/** Replaces the grants of a principal. */
export async function grantReader(
  registrations: Registrations,
  { principalId, grants, arn }: Pick<Reader, "principalId" | "grants" | "arn">,
): Promise<void> {
  const value: ReaderRegistration = { grants, ...(arn !== undefined && { arn }) };
  await registrations.write("readers", { principalId, value: JSON.stringify(value) });
}

/** All principals with grants, by id. */
export async function listReaders(registrations: Pick<Registrations, "list">): Promise<readonly Reader[]> {
  const readers = (await registrations.list("readers")).flatMap((each) => readerIn(each) ?? []);
  return readers.sort((a, b) => compareText(a.principalId, b.principalId));
}

function readerIn({ principalId, value, at }: Registration): Reader | undefined {
  const reader = decodeReader(value);
  if (reader === undefined || reader.grants.length === 0) return undefined;
  const { grants, arn } = reader;
  return { principalId, grants, grantedAt: at, ...(arn !== undefined && { arn }) };
}

/** What a registration lets its principal do; `undefined` if it shows nothing. */
export function readerRights(
  registration: Registration | undefined,
): (Rights & Pick<ReaderRegistration, "arn">) | undefined {
  const { grants = [], arn } = (registration && readerIn(registration)) ?? {};
  const { scope, acknowledges } = readGrants(grants);
  return seesNothing(scope) ? undefined : { scope, acknowledges, ...(arn !== undefined && { arn }) };
}
