import * as v from "valibot";
import type { CronJobRecord } from "../../job/model/cluster-context.ts";
import { cronJobDeleted, cronJobObserved } from "./cluster-fact-schemas.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `cronjob`, by the CronJob's uid. */
export const cronJobRecord = recordCodec<CronJobRecord>(
  "cronjob",
  v.looseObject({
    cronJobUid: v.string(),
    observed: v.exactOptional(cronJobObserved),
    specs: v.exactOptional(v.array(cronJobObserved)),
    deleted: v.exactOptional(cronJobDeleted),
  }),
);
