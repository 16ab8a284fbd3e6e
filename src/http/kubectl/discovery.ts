import { kubeOpenApi, openApiIndex } from "./kube-openapi.ts";
import { GROUPS, groupVersion, type KubeResource, RESOURCES, versionOf } from "./resources.ts";

/** Discovery for kubectl: aggregated (KEP-3352) if the Accept header requests it, otherwise by group. */
export function discover(path: string, accept: string, version: string): unknown {
  switch (path) {
    case "/version":
      return versionInfo(version);
    case "/api":
      return coreVersions(accept);
    case "/apis":
      return apiGroups(accept);
    case "/api/v1":
      return resourceList("");
    case "/openapi/v3":
      return openApiIndex();
  }
  for (const group of GROUPS) {
    if (path === `/apis/${group}`) return { ...apiGroup(group), kind: "APIGroup", apiVersion: "v1" };
    if (path === `/apis/${groupVersion({ group })}`) return resourceList(group);
  }
  return path.startsWith(OPENAPI) ? kubeOpenApi(path.slice(OPENAPI.length), version) : undefined;
}

const OPENAPI = "/openapi/v3/";

function coreVersions(accept: string): unknown {
  return isAggregated(accept)
    ? discoveryList([""], accept)
    : { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
}

function apiGroups(accept: string): unknown {
  return isAggregated(accept)
    ? discoveryList(GROUPS, accept)
    : { kind: "APIGroupList", apiVersion: "v1", groups: GROUPS.map(apiGroup) };
}

function isAggregated(accept: string): boolean {
  return accept.includes("as=APIGroupDiscoveryList");
}

/** The media type of the answer to this Accept header. */
export function discoveryMediaType(accept: string): string {
  const wanted = /application\/json;g=apidiscovery\.k8s\.io;v=(v2(?:beta1)?);as=APIGroupDiscoveryList/.exec(accept);
  return wanted === null
    ? "application/json"
    : `application/json;g=apidiscovery.k8s.io;v=${wanted[1] ?? "v2"};as=APIGroupDiscoveryList`;
}

function versionInfo(version: string): unknown {
  // kubectl warns if its version and the server's differ by more than one minor version. This API works with every
  // release since 1.30.
  return {
    major: "1",
    minor: "36",
    gitVersion: `v1.36.0+outlive-${version}`,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform: "outlive",
  };
}

function apiGroup(group: string): Readonly<Record<string, unknown>> {
  const version = { groupVersion: groupVersion({ group }), version: versionOf(group) };
  return { name: group, versions: [version], preferredVersion: version };
}

function resourcesOf(group: string): readonly KubeResource[] {
  return RESOURCES.filter((resource) => resource.group === group);
}

function resourceList(group: string): unknown {
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: groupVersion({ group }),
    resources: resourcesOf(group).map(({ plural, singular, namespaced, kind, verbs, shortNames, categories }) => ({
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      shortNames,
      categories,
    })),
  };
}

function discoveryList(groups: readonly string[], accept: string): unknown {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${/v=(v2(?:beta1)?);/.exec(accept)?.[1] ?? "v2"}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: [{ version: versionOf(group), freshness: "Current", resources: resourcesOf(group).map(discovered) }],
    })),
  };
}

function discovered(resource: KubeResource): unknown {
  const { group, version, kind, plural, singular, namespaced, verbs, shortNames, categories } = resource;
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    shortNames,
    categories,
  };
}
