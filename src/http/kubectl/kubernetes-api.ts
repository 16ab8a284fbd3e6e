import type { OptionalApi } from "../optional-api.ts";

/** The Kubernetes-shaped API, at the root and below a cluster. */
export const kubernetesApi: OptionalApi = {
  paths: ["/version", "/api", "/api/*", "/apis", "/apis/*", "/openapi/*"].flatMap((path) => [
    path,
    `/clusters/:cluster${path}`,
  ]),
  // Loaded with the first request that needs it, so that a Lambda function starts faster.
  serve: async (context, server) => (await import("./serve-kubernetes.ts")).serveKubernetes(context, server),
};
