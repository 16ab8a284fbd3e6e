import { createSsmClient } from "../../src/adapters/ssm/ssm-client.ts";
import { readStageOutputs } from "../../src/adapters/ssm/stage-outputs.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import type { OptionalOutput, StageOutput } from "../../src/ports/deployment/outputs.ts";

/** A deployed stage. */
export interface Deployment {
  readonly stage: string;
  /** The value of an output. Fails if the stage does not have it: it is of another release. */
  readonly output: (name: StageOutput) => string;
  /** The value of an output that the stage has only with some settings. */
  readonly optional: (name: OptionalOutput) => string | undefined;
}

export async function readDeployment(stage: string): Promise<Deployment> {
  const outputs = await readStageOutputs(createSsmClient(), stage);
  return {
    stage,
    optional: (name) => outputs.get(name),
    output: (name) => {
      const value = outputs.get(name);
      if (value !== undefined && value !== "") return value;
      throw new CommandFailure(
        2,
        `Stage ${stage} has no output ${name}: it is of another release. Deploy this release.`,
      );
    },
  };
}
