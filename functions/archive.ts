import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import { ARCHIVE_FOLDER } from "../src/deployment/archive-location.ts";
import { systemClock } from "../src/runtime/clock.ts";
import { readArchiveSettings } from "../src/runtime/function-settings.ts";
import { createS3Client } from "../src/s3/s3-client.ts";
import { createS3Objects } from "../src/s3/s3-objects.ts";
import { onArchive } from "./events/archive-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openAllStores } from "./lambda/stores.ts";

const { stage, tables, bucket, endpoint } = readArchiveSettings(process.env);
const runtime = openRuntime("archive", stage);
const dependencies = {
  ...runtime,
  ...openAllStores(tables),
  store: createS3Objects(createS3Client({ endpoint }), { bucket, prefix: ARCHIVE_FOLDER }),
  clock: systemClock,
  newId: randomUUID,
  jobDays: tables.retentionDays,
};

export const handler = handlerOf(runtime, (_: unknown, context: Context) => onArchive(dependencies, context));
