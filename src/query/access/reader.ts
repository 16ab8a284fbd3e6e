import type { MetaStore } from "../../ports/meta.ts";
import { principalIdOf } from "../../ports/principal-id.ts";
import { readerRecord } from "../../ports/records/reader-record.ts";
import { readRecord } from "../../ports/records/record-codec.ts";
import { readGrants } from "./grant-text.ts";
import { type Scope, seesNothing } from "./scope.ts";

/** The grants of an IAM principal; `undefined` if it has none. */
export async function readerScope(meta: MetaStore, callerId: string): Promise<Scope | undefined> {
  const record = await readRecord(meta, readerRecord, principalIdOf(callerId));
  const { grants = [] } = record?.value ?? {};
  const { scope } = readGrants(grants);
  return seesNothing(scope) ? undefined : scope;
}
