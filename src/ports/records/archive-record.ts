import * as v from "valibot";
import { recordCodec } from "./record-codec.ts";

/** Kind `position`, key `#archive`: the archive that this log is written to. */
export interface ArchiveRecord {
  /** The id in its manifests: an archive of another stage has another one. */
  readonly archive: string;
}

export const archiveRecord = recordCodec<ArchiveRecord>("position", v.looseObject({ archive: v.string() }));
