import type { MetaStore } from "../../ports/meta.ts";
import { principalIdOf } from "../../ports/principal-id.ts";
import { readGrants } from "./grant-text.ts";
import { type Scope, seesNothing } from "./scope.ts";

/** What kind `reader` holds, keyed by the principal's unique id. A record without grants was revoked: it stays, to tell when. */
export interface ReaderRecord {
  /** As {@link readGrants} reads them. */
  readonly grants?: readonly string[];
  readonly grantedAt?: number;
  readonly revokedAt?: number;
  /** What the id was looked up from, for people: names are used again, so nothing compares it. */
  readonly arn?: string;
}

/** What an IAM principal may read; `undefined` where nobody granted it anything. */
export async function readerScope(meta: MetaStore, callerId: string): Promise<Scope | undefined> {
  const record = await meta.read("reader", principalIdOf(callerId));
  const { grants = [] } = record === undefined ? {} : (JSON.parse(record.value) as ReaderRecord);
  const { scope } = readGrants(grants);
  return seesNothing(scope) ? undefined : scope;
}
