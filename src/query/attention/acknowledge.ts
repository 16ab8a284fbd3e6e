import type { Instant } from "../../job/model/instant.ts";
import { acknowledgementKey } from "../../ports/meta-key.ts";
import type { MetaStore } from "../../ports/meta.ts";
import {
  type AcknowledgedEntry,
  type Acknowledgement,
  acknowledgementRecord,
  soundAcknowledgement,
  withChecksum,
} from "../../ports/records/acknowledgement-record.ts";
import { writeRecord } from "../../ports/records/record-codec.ts";

/** Writes acknowledgements. Absent from a server that only reads. */
export interface AcknowledgementWriter {
  /** Replaces an earlier acknowledgement of the entry. */
  write(acknowledgement: Acknowledgement): Promise<void>;
  /** `absent`: nothing was in force. */
  withdraw(place: WithdrawnPlace): Promise<"withdrawn" | "absent">;
}

/** Which acknowledgement to withdraw, by whom and when. */
export interface WithdrawnPlace extends Pick<AcknowledgedEntry, "cluster" | "namespace" | "id"> {
  readonly by: string;
  readonly at: Instant;
}

const DAY_MILLIS = 86_400_000;
/** Two people may acknowledge an entry at the same time: the last one stays. */
const MOST_ATTEMPTS = 5;

/** Writes records of kind `acknowledgement`, which expire with what they say. */
export function createAcknowledgementWriter(meta: MetaStore): AcknowledgementWriter {
  return {
    write: async (acknowledgement) => {
      await replace(meta, keyOf(acknowledgement), () => acknowledgement);
    },
    withdraw: async (place) => {
      const { by, at } = place;
      const written = await replace(meta, keyOf(place), (stored) => {
        if (stored?.note === undefined || stored.until <= at) return undefined;
        const { note: _, ...rest } = stored;
        return { ...rest, by, at };
      });
      return written ? "withdrawn" : "absent";
    },
  };
}

function keyOf({ cluster, namespace, id }: Pick<AcknowledgedEntry, "cluster" | "namespace" | "id">): string {
  return acknowledgementKey(cluster, namespace, id);
}

/** Writes what `next` returns for the stored acknowledgement. Returns whether it returned one. */
async function replace(
  meta: MetaStore,
  key: string,
  next: (stored: Acknowledgement | undefined) => Acknowledgement | undefined,
): Promise<boolean> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const record = await meta.read("acknowledgement", key);
    const value = next(record && soundAcknowledgement(record));
    if (value === undefined) return false;
    const { outcome } = await writeRecord(meta, acknowledgementRecord, {
      key,
      value: withChecksum(value),
      expected: record?.version ?? 0,
      lifetimeDays: Math.ceil((value.until - value.at) / DAY_MILLIS) + 1,
    });
    if (outcome === "written") return true;
  }
  throw new AcknowledgementConflictError(key);
}

/** Others kept writing the record. */
export class AcknowledgementConflictError extends Error {
  override readonly name = "AcknowledgementConflictError";

  constructor(key: string) {
    super(`Cannot write acknowledgement ${JSON.stringify(key)}: others have changed it ${MOST_ATTEMPTS} times.`);
  }
}
