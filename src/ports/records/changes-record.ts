import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/** For how long a follower of changes may pause. */
export const CHANGES_DAYS = 35;

/** Kind `changes`: status changes that one projector announced together (src/projection/changes/change-bytes.ts). */
export interface ChangesRecord {
  readonly packed: string;
}

export const changesRecord = recordCodec<ChangesRecord>("changes", v.looseObject({ packed: v.string() }));

/** Kind `position`, key `#changes`: when the first change was announced. */
export interface ChangesBegin {
  readonly since: Instant;
}

export const changesBegin = recordCodec<ChangesBegin>("position", v.looseObject({ since: v.number() }));
