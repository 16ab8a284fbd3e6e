import * as v from "valibot";

/** Where a pack is in the log (../log.ts). */
export const packPlace = v.looseObject({ shard: v.number(), arrivedAt: v.number() });

/** The key of a segment in the log. */
export const logKey = v.looseObject({ pk: v.string(), sk: v.string(), pack: v.exactOptional(packPlace) });
