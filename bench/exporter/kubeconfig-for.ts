/** How the small API server on `port` is reached: it asks nobody who they are. */
export function kubeconfigFor(port: number) {
  const cluster = { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
  return {
    clusters: [{ name: "bench", cluster }],
    users: [{ name: "bench", user: { token: "bench" } }],
    contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
    "current-context": "bench",
  };
}
