import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import type { ProjectionName } from "../projections.ts";
import { recordCodec } from "./record-codec.ts";

/** Published versions of the two projectors (Lambda functions). */
export interface ProjectorVersions {
  readonly project: string;
  readonly refold: string;
}

/** Projectors of an earlier release that keep writing one projection while a later release writes the other one. */
export interface KeptProjectors extends ProjectorVersions {
  readonly projection: ProjectionName;
}

/** Kind `live`: which projection answers, which one is being rebuilt, and which projectors write them. */
export interface LivePointer {
  readonly live: ProjectionName;
  /** Every new segment is also projected into this one. */
  readonly building?: ProjectionName;
  /** Present during a trial with projectors of two releases (src/projection/projector.ts). */
  readonly kept?: KeptProjectors;
  /** Why the last trial was ended without a comparison, or the last replay although the log is damaged. */
  readonly endedDespite?: string;
  /** When `live` began to answer. Absent before the first replay, and if nothing needs it. */
  readonly switchedAt?: Instant;
}

const projectionName = v.picklist(["A", "B"]);

export const liveRecord = recordCodec<LivePointer>(
  "live",
  v.looseObject({
    live: projectionName,
    building: v.exactOptional(projectionName),
    kept: v.exactOptional(v.looseObject({ projection: projectionName, project: v.string(), refold: v.string() })),
    endedDespite: v.exactOptional(v.string()),
    switchedAt: v.exactOptional(v.number()),
  }),
);
