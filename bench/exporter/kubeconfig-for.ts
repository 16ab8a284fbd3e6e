/** A kubeconfig for the small API server on `port`, which does not authenticate. */
export function kubeconfigFor(port: number) {
  const cluster = { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
  return {
    clusters: [{ name: "bench", cluster }],
    users: [{ name: "bench", user: { token: "bench" } }],
    contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
    "current-context": "bench",
  };
}
