/** The number of Pods that succeeded beyond the completions that the Job needed. */
export function needlessRuns({ spec, pods }: NeedlessRunsInput): number {
  return spec.completions === undefined ? 0 : Math.max(0, pods.succeeded - spec.completions);
}

interface NeedlessRunsInput {
  readonly spec: { readonly completions?: number };
  readonly pods: { readonly succeeded: number };
}
