/**
 * The least share of failures that a node has, given how many of its Pods failed: the lower end of Wilson's interval
 * (Wilson 1927). It holds for all `nodes` together with 95 % confidence: among a thousand nodes, some have bad luck.
 */
export function leastFailureShare({ failed, pods }: { readonly failed: number; readonly pods: number }, nodes: number) {
  if (pods === 0) return 0;
  const share = failed / pods;
  const z = quantile(nodes);
  const spread = z * Math.sqrt((share * (1 - share)) / pods + (z * z) / (4 * pods * pods));
  return Math.max(0, (share + (z * z) / (2 * pods) - spread) / (1 + (z * z) / pods));
}

/** More than the quantile of 1 - 0.05/n of the normal distribution: its tail beyond z is at most exp(-z²/2)/2. */
function quantile(nodes: number): number {
  return Math.sqrt(2 * Math.log(nodes / (2 * 0.05)));
}
