import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

const STACK = "/test/end-to-end/aws/stack.test.ts";

/**
 * Begins with the deployed stack, which takes longer than any other file by far and waits for much of it: the others
 * run beside it. Without this the order is that of the files' sizes in a fresh checkout, and at the end one processor
 * waits for the stack alone.
 */
export default class StackFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(isStack(b)) - Number(isStack(a)));
  }
}

function isStack({ moduleId }: TestSpecification): boolean {
  return moduleId.endsWith(STACK);
}
