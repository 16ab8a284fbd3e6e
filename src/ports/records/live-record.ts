import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import type { ProjectionName } from "../projections.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `live`: which projection answers, and which one is being rebuilt. */
export interface LivePointer {
  readonly live: ProjectionName;
  /** Every new segment is also projected into this one. */
  readonly building?: ProjectionName;
  /** When `live` began to answer. Absent before the first replay, and where nothing asks for it. */
  readonly switchedAt?: Instant;
}

const projectionName = v.picklist(["A", "B"]);

export const liveRecord = recordCodec<LivePointer>(
  "live",
  v.looseObject({
    live: projectionName,
    building: v.exactOptional(projectionName),
    switchedAt: v.exactOptional(v.number()),
  }),
);
