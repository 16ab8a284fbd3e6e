import { createCloudFormationClient, readStackOutputs } from "../../src/adapters/cloudformation/stack-outputs.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import type { OptionalOutput, StackOutput } from "../../src/ports/deployment/outputs.ts";

/** The outputs of a deployed stack. */
export interface Deployment {
  readonly stack: string;
  /** The value of an output. Fails if the stack does not have it: the stack is not Outlive's, or of another release. */
  readonly output: (name: StackOutput) => string;
  /** The value of an output that the stack has only with some settings. */
  readonly optional: (name: OptionalOutput) => string | undefined;
}

export async function readDeployment(stack: string): Promise<Deployment> {
  const outputs = await readStackOutputs(createCloudFormationClient(), stack);
  return {
    stack,
    optional: (name) => outputs.get(name),
    output: (name) => {
      const value = outputs.get(name);
      if (value !== undefined && value !== "") return value;
      throw new CommandFailure(
        2,
        `Stack ${stack} has no output ${name}: it is not a deployment of Outlive, or is of another release. ` +
          "Deploy this release, or name another stack.",
      );
    },
  };
}
