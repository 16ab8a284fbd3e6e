import type { MetaStore } from "../../ports/meta.ts";
import { principalIdOf } from "../../ports/principal-id.ts";
import { readGrants } from "./grant-text.ts";
import { type Scope, seesNothing } from "./scope.ts";

/** A meta record of kind `reader`, by the principal's unique id. A record without grants tells when access was revoked. */
export interface ReaderRecord {
  /** In the syntax of {@link readGrants}. */
  readonly grants?: readonly string[];
  readonly grantedAt?: number;
  readonly revokedAt?: number;
  /** The ARN of the principal, for information only: names are reused, so it is never compared. */
  readonly arn?: string;
}

/** The grants of an IAM principal; `undefined` if it has none. */
export async function readerScope(meta: MetaStore, callerId: string): Promise<Scope | undefined> {
  const record = await meta.read("reader", principalIdOf(callerId));
  const { grants = [] } = record === undefined ? {} : (JSON.parse(record.value) as ReaderRecord);
  const { scope } = readGrants(grants);
  return seesNothing(scope) ? undefined : scope;
}
