import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

const STACK = "/test/end-to-end/aws/stack.test.ts";

/**
 * Starts with the test of the deployed stack, which takes longest and waits most of its time, so that the others run
 * beside it. By default the order follows the file sizes, and at the end one processor waits for the stack.
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
