import { createCloudFormationClient } from "../../src/cloudformation/cloudformation-client.ts";
import { readStackOutputs } from "../../src/cloudformation/stack-outputs.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import type { StackOutput } from "../../src/deployment/outputs.ts";

/** What a deployed stack is made of, as far as commands need it. */
export interface Deployment {
  readonly stack: string;
  /** The value of an output. Ends the command where the stack has no such output: it is another stack, or of another release. */
  readonly output: (name: StackOutput) => string;
}

export async function readDeployment(stack: string): Promise<Deployment> {
  const outputs = await readStackOutputs(createCloudFormationClient(), stack);
  return {
    stack,
    output: (name) => {
      const value = outputs.get(name);
      if (value !== undefined && value !== "") return value;
      throw new CommandFailure(
        2,
        `Stack ${stack} has no output ${name}: it is not a deployment of Outlive, or of another release. Deploy this release, or name another stack.`,
      );
    },
  };
}
