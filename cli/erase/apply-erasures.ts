import { CommandFailure } from "../../src/command-line/command-failure.ts";
import type { Embedded } from "../../src/embedded/embedded-tracker.ts";
import {
  applyArchivedErasures,
  type EraseEmbeddedOptions,
  ErasureHeldError,
} from "../../src/embedded/erase-embedded.ts";
import type { ErasureRecord } from "../../src/erasure/erasure-record.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import type { Hold } from "../../src/retention/retention-rules.ts";

/** Applies the erasures of an archive to an older database. Throws CommandFailure if a legal hold forbids one. */
export async function applyErasuresOf(
  embedded: Embedded,
  options: EraseEmbeddedOptions & { readonly archive: ObjectStore },
): Promise<readonly ErasureRecord[]> {
  try {
    return await applyArchivedErasures(embedded, options);
  } catch (cause) {
    if (!(cause instanceof ErasureHeldError)) throw cause;
    const { id, reason, by } = cause.scope;
    throw new CommandFailure(
      1,
      `Nothing was erased: the archive has erasure ${id} (${reason}, by ${by}), and ${holdText(cause.hold)}. If the ` +
        'erasure is genuine, release the hold with "outlive hold release" first.',
      { cause },
    );
  }
}

/** Which hold is in force. */
export function holdText({ reason, held }: Hold): string {
  const place = [held.cluster, held.namespace, held.name].filter((name) => name !== undefined).join("/");
  return `${place} is under a legal hold (${reason})`;
}
