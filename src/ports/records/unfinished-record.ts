import * as v from "valibot";
import { recordCodec } from "./record-codec.ts";

/** A command that writes in several steps, and that only its repetition can finish. */
export interface NotedCommand {
  readonly command: "import" | "archive import" | "restore";
  /**
   * Distinguishes commands of the same kind on different data: by the id of an archive, or by a cluster and the names
   * of its recordings.
   */
  readonly of: string;
}

/** Kind `position`, key `#unfinished`: the commands that have begun to write, and have not written everything yet. */
export interface UnfinishedRecord {
  readonly commands: readonly NotedCommand[];
}

export const unfinishedRecord = recordCodec<UnfinishedRecord>(
  "position",
  v.looseObject({
    commands: v.array(v.looseObject({ command: v.picklist(["import", "archive import", "restore"]), of: v.string() })),
  }),
);
