import type { ApiClient } from "../../src/host/client/api-client.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { list } from "../../src/job/text/sentence.ts";
import type { StageOutput } from "../../src/ports/deployment/outputs.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { type Check, checkThat, type Finding, ok, warning } from "../doctor/check.ts";
import { checkServedRelease } from "./check-server.ts";
import { checkStageFormats, type StageStores } from "./check-stage-formats.ts";
import { runtimeChecks } from "./support-policy.ts";

/** What this release needs of a stage. */
const PARTS: readonly StageOutput[] = [
  "QueueUrl",
  "LogTable",
  "MetaTable",
  "JobsTableA",
  "JobsTableB",
  "RunsTableA",
  "RunsTableB",
  "ReplayMachine",
  "ProjectorVersions",
];

export interface StageToCheck {
  readonly read: () => Promise<Deployment>;
  readonly stores: (deployment: Deployment) => StageStores;
  readonly api: (deployment: Deployment) => Promise<ApiClient>;
  readonly now: () => number;
}

/** What a deployment of this release over a stage finds and does. Changes nothing. */
export async function* checkStage(stage: StageToCheck): AsyncGenerator<Check> {
  yield* runtimeChecks();
  let deployment: Deployment | undefined;
  yield await checkThat("stage", async () => {
    deployment = await stage.read();
    return missingParts(deployment);
  });
  if (deployment === undefined) return;
  yield* checkStageFormats(stage.stores(deployment));
  yield* checkServedRelease(await stage.api(deployment), stage.now);
}

function missingParts(deployment: Deployment): Finding {
  const missing = PARTS.filter((name) => !hasOutput(deployment, name));
  if (missing.length === 0) return ok(`${deployment.stage} has all parts that this release needs.`);
  return warning(`${deployment.stage} lacks ${list(missing)}: it is of an earlier release. A deployment adds them.`);
}

function hasOutput({ output }: Deployment, name: StageOutput): boolean {
  try {
    return output(name) !== "";
  } catch (cause) {
    if (cause instanceof CommandFailure) return false;
    throw cause;
  }
}
