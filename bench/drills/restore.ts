// How long does it take to restore a stage from its archive? A stage is deployed to MiniStack. Its log gets the
// recording mixed-2000 in each of several closed hours, under several names. Its archive is restored into a second,
// empty stage. `node bench/drills/restore.ts [--hours 4]` prints what happened when.
import { parseArgs } from "node:util";
import { hourBegin, hourOf } from "../../src/archive/layout/archive-hour.ts";
import { createApiClient } from "../../test/end-to-end/aws/api-client.ts";
import {
  type DeployedStack,
  deployBeside,
  deployStack,
  speakTo,
  TRIAL,
} from "../../test/end-to-end/aws/deployed-stack.ts";
import { isArchived } from "../../test/end-to-end/aws/describe-archive.ts";
import { poll } from "../../test/end-to-end/aws/poll.ts";
import { factsIn, foldCluster, sealed } from "../../test/end-to-end/aws/recorded-clusters.ts";
import { createStackTools } from "../../test/end-to-end/aws/stack-tools.ts";
import { sharedRecording } from "../../test/support/recordings/real-recordings.ts";
import { clusterNamed } from "../../test/support/facts/names.ts";

const { values } = parseArgs({ options: { hours: { type: "string", default: "4" } } });
const hours = Number(values.hours);
if (!Number.isInteger(hours) || hours < 1) {
  console.error("Usage: node bench/drills/restore.ts [--hours N]");
  process.exit(2);
}
const recorded = { cluster: "mixed-2000", facts: await factsIn([sharedRecording("mixed-2000.ndjson.gz")]) };
const clusters = Array.from({ length: hours }, (_, hour) => ({
  facts: recorded.facts,
  cluster: clusterNamed(`${recorded.cluster}-${hour}`),
}));
const began = performance.now();
const lost = await deployStack("ministack", { ...TRIAL, archive: "true" });
try {
  await drill(lost);
} finally {
  lost.stop();
}

async function drill(stack: DeployedStack): Promise<void> {
  speakTo(stack);
  note("deployed a stage");
  const tools = createStackTools(stack);
  for (const [hour, cluster] of clusters.entries()) {
    const arrivedAt = hourBegin(hourOf(Date.now()) - hours - 1 + hour) + 1_000;
    await tools.appendAt(sealed(cluster, arrivedAt - 500), arrivedAt);
  }
  await poll("everything is archived", async () => (isArchived(await tools.archive()) ? true : undefined), {
    patience: 3_600_000,
  });
  note(`its archive has ${hours} hours with ${clusters.length * recorded.facts.length} facts`);
  const restored = await deployBeside(stack, { ...TRIAL, stage: "restored", archive: "true" });
  note("deployed an empty stage");
  const archive = `s3://${stack.outputs.ArchiveBucket}/archive`;
  const { status, stderr } = await tools.outlive(["restore", archive, "--stage", restored.stage]);
  note(`outlive restore ended with ${status}: ${stderr.trim()}`);
  await compare(stack, restored);
}

/** Answers about the first Jobs of each cluster. */
async function compare(before: DeployedStack, after: DeployedStack): Promise<void> {
  const [one, other] = [createApiClient(before.apiUrl), createApiClient(after.apiUrl)];
  let [compared, different] = [0, 0];
  for (const cluster of clusters) {
    for (const job of (await foldCluster(cluster)).jobs.slice(0, 100)) {
      compared += 1;
      if ((await one.job(job)) !== (await other.job(job))) different += 1;
    }
  }
  note(`compared ${compared} answers of both stages: ${different} differ`);
}

function note(text: string): void {
  console.log(`${String(Math.round((performance.now() - began) / 1_000)).padStart(4)} s  ${text}`);
}
