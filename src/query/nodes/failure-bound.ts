interface NodeCounts {
  readonly failed: number;
  readonly pods: number;
}

/**
 * The least share of failures that a node has, given how many of its Pods failed. It holds for all `nodes` together
 * with 95 % confidence: among a thousand nodes, some have bad luck. It follows from Chernoff's bound: of `n` Pods that
 * fail with probability `p`, a share `s > p` or more fails with a probability of at most `exp(-n D(s, p))`.
 */
export function leastFailureShare({ failed, pods }: NodeCounts, nodes: number): number {
  if (failed === 0) return 0;
  const share = failed / pods;
  const most = Math.log(nodes / 0.05) / pods;
  let [low, high] = [0, share];
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (low + high) / 2;
    if (divergence(share, middle) > most) low = middle;
    else high = middle;
  }
  return low;
}

/** More halvings than a number has bits. */
const BISECTIONS = 60;

/** How far two probabilities are apart (Kullback and Leibler 1951), in nats. */
function divergence(share: number, from: number): number {
  const failed = share * Math.log(share / from);
  return share === 1 ? failed : failed + (1 - share) * Math.log((1 - share) / (1 - from));
}
