import { LogDayRegistry } from "../src/log/log-day-registry.ts";
import { LogHourRegistry } from "../src/log/log-hour-registry.ts";
import { SenderRegistry } from "../src/log/sender-registry.ts";
import { SetAsideQuota } from "../src/log/set-aside-quota.ts";
import { translateHintMessage } from "../src/kubernetes/translate/translate-hint-message.ts";
import { LOG_MORE_DAYS, type PackedLog } from "../src/ports/log.ts";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { RegistrationCache } from "../src/ports/registrations/registration-cache.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { onMessages } from "./events/ingest-event.ts";
import { isRestore, onRestore } from "./events/restore-event.ts";
import { createS3LargeMessages } from "../src/adapters/s3/s3-large-messages.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { registrationsOnDemand } from "./lambda/registrations-on-demand.ts";
import { queueOnDemand } from "./lambda/queue-on-demand.ts";
import { openLogStores } from "./lambda/stores.ts";

const settings = readFunctionSettings("ingest", process.env);
const { stage, tables, open, auditLogs, setAsideBucket, queueUrl, endpoint, packShards } = settings;
const runtime = openRuntime("ingest", stage);
const { log, restoredLog, meta, aws } = openLogStores(tables);

const hours = new LogHourRegistry(meta);
const packerOf = (packs: PackedLog) => ({ packs, hours, shards: packShards, now: () => systemClock.now() });

const dependencies = {
  ...runtime,
  logDays: tables.retentionDays + LOG_MORE_DAYS,
  clock: systemClock,
  log,
  meta,
  days: new LogDayRegistry(meta),
  ...(log.packs && { packer: packerOf(log.packs) }),
  readForeign: translateHintMessage,
  queue: { url: queueUrl, ...queueOnDemand(queueUrl) },
  quota: new SetAsideQuota(meta, {
    now: () => systemClock.now(),
    onDropped: (sender) => {
      runtime.count("DroppedMessages", 1);
      runtime.logger.warn("A message was dropped: its sender exceeded what is set aside of it in an hour.", { sender });
    },
  }),
  senders: new SenderRegistry({
    principals: new RegistrationCache({
      registrations: registrationsOnDemand(stage),
      kind: "senders",
      now: () => systemClock.now(),
    }),
    meta,
    open,
    ...(auditLogs && { auditLogs }),
    now: () => systemClock.now(),
  }),
  largeMessages: createS3LargeMessages({ ...aws, bucket: setAsideBucket, endpoint }),
};

const restoring = { ...dependencies, ...(restoredLog.packs && { packer: packerOf(restoredLog.packs) }) };

export const handler = handlerOf(runtime, async (event: object) =>
  isRestore(event) ? onRestore(restoring, event) : onMessages(dependencies, event),
);
