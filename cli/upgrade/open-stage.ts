import { DEFAULT_RETENTION_DAYS } from "../../src/ports/deployment/retention.ts";
import { createDynamoClient } from "../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { remoteClient } from "../../src/host/client/remote-client.ts";
import { readDeployment } from "../deployment/deployment.ts";
import { apiAddress, type DeploymentOptions } from "../doctor/check-deployment.ts";
import type { StageToCheck } from "./check-stage.ts";

/** The parts of a deployed stage that an upgrade depends on. */
export function openStage(options: Omit<DeploymentOptions, "timeoutMillis">): StageToCheck {
  return {
    now: Date.now,
    read: () => readDeployment(options.stage),
    stores: ({ output }) => {
      const [client, retentionDays] = [createDynamoClient(), DEFAULT_RETENTION_DAYS];
      return {
        log: createDynamoLog(client, { table: output("LogTable"), retentionDays }),
        meta: createDynamoMetaStore(client, { table: output("MetaTable"), retentionDays }),
      };
    },
    api: async (deployment) => {
      const address = options.server ?? apiAddress(deployment, options);
      return remoteClient(address, await options.openCredentials(address));
    },
  };
}
