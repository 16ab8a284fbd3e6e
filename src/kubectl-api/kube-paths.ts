/** The paths of the Kubernetes-shaped API, at the root and below a cluster. */
export const KUBE_PATHS = ["/version", "/api", "/api/*", "/apis", "/apis/*", "/openapi/*"].flatMap((path) => [
  path,
  `/clusters/:cluster${path}`,
]);
