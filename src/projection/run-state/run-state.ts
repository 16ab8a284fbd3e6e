import { canonical } from "../../job/model/canonical.ts";
import type { ParentCondition, ParentDeleted, ParentObserved } from "../../job/model/fact.ts";
import type { RunMember, RunRecord } from "../../explain/run/run-record.ts";
import { keyOfTransition, type ParentRecord, type SeenAttempt } from "../../parents/status/parent-record.ts";
import { sumOfUsage, type Usage } from "../../job/usage/usage.ts";
import { unwrap, wrap } from "../../segment/envelope.ts";
import { decodeUsage, encodeUsage } from "../job-state/usage-bytes.ts";

/** The first item of an encoded record. */
const FORMAT = 1;

/** Equal records have equal bytes. */
export function encodeRun({ parents, jobs }: RunRecord): Uint8Array {
  const members = sorted(jobs).map(([, member]) => storedMember(member));
  return wrap(canonical([FORMAT, sorted(parents).map(([, parent]) => storedParent(parent)), members]), 3).bytes;
}

/** The inverse of {@link encodeRun}. Throws {@link RunUnreadableError}. */
export function decodeRun(uid: string, bytes: Uint8Array): RunRecord {
  const unwrapped = unwrap(bytes);
  if (unwrapped.outcome === "rejected") throw new RunUnreadableError(uid, unwrapped.reason);
  const [format, parents, members] = JSON.parse(unwrapped.text) as StoredRun;
  if (format !== FORMAT) throw new RunUnreadableError(uid, `Its format is ${format}; this build reads ${FORMAT}.`);
  return {
    uid,
    isStored: true,
    parents: new Map(parents.map((parent) => [parent.uid, parentOf(parent)] as const)),
    jobs: new Map(members.map((member) => [member.job.uid, memberOf(member)] as const)),
  };
}

/** A stored run is damaged, or a later release wrote it. */
export class RunUnreadableError extends Error {
  override readonly name = "RunUnreadableError";

  constructor(uid: string, reason: string) {
    super(`The stored run ${uid} cannot be read. ${reason} \`outlive replay\` writes it again from the log.`);
  }
}

type StoredRun = readonly [format: number, parents: readonly StoredParent[], members: readonly StoredMember[]];

/** A record without what follows from its other parts. */
interface StoredParent {
  readonly uid: string;
  readonly first?: ParentObserved;
  readonly last?: ParentObserved;
  readonly deleted?: ParentDeleted;
  readonly attempts?: readonly (readonly [key: string, SeenAttempt])[];
  readonly transitions?: readonly ParentCondition[];
}

/** A member with what it reserved as text. */
type StoredMember = Omit<RunMember, "usage"> & { readonly usage?: string };

function storedMember({ usage, ...member }: RunMember): StoredMember {
  return { ...member, ...(usage !== undefined && { usage: textOfUsage(usage) }) };
}

function memberOf({ usage, ...member }: StoredMember): RunMember {
  return { ...member, ...(usage !== undefined && { usage: usageOfText(usage) }) };
}

/** A run needs no hours, so they are stored as one. */
function textOfUsage(usage: Usage): string {
  return Buffer.from(encodeUsage(new Map([[0, usage]]))).toString("base64url");
}

function usageOfText(text: string): Usage {
  return sumOfUsage(decodeUsage(Buffer.from(text, "base64url")).values());
}

function storedParent({ attempts, transitions, ...known }: ParentRecord): StoredParent {
  return {
    ...known,
    ...(attempts.size > 0 && { attempts: sorted(attempts) }),
    ...(transitions.size > 0 && { transitions: sorted(transitions).map(([, condition]) => condition) }),
  };
}

function parentOf({ attempts = [], transitions = [], ...known }: StoredParent): ParentRecord {
  return {
    ...known,
    attempts: new Map(attempts),
    transitions: new Map(transitions.map((condition) => [keyOfTransition(condition), condition] as const)),
  };
}

function sorted<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
