import { describe, expect, it } from "vitest";
import { discover, discoveryMediaType } from "../../../src/http/kubectl/discovery.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
const BETA = AGGREGATED.replace("v=v2", "v=v2beta1");
const PLAIN = "application/json";

interface Named {
  readonly name?: string;
  readonly resource?: string;
}
const namesOf = (resources: readonly Named[]) => resources.map(({ name, resource }) => name ?? resource);

describe("discovery", () => {
  it.each([
    ["/api", "/api/v1", ["pods", "events", "namespaces"]],
    ["/apis", "/apis/batch/v1", ["jobs", "cronjobs"]],
    ["/apis", "/apis/jobset.x-k8s.io/v1alpha2", ["jobsets"]],
    ["/apis", "/apis/trainer.kubeflow.org/v1alpha1", ["trainjobs"]],
    ["/apis", "/apis/ray.io/v1", ["rayjobs"]],
    ["/apis", "/apis/argoproj.io/v1alpha1", ["workflows"]],
  ])("of %s lists the same resources in one answer as %s does", (root, group, names) => {
    const all = discover(root, AGGREGATED, "0") as {
      readonly items: readonly { readonly versions: readonly { readonly resources: readonly Named[] }[] }[];
    };
    const one = discover(group, PLAIN, "0") as { readonly resources: readonly Named[] };
    expect(all.items.flatMap(({ versions }) => versions.map(({ resources }) => namesOf(resources).join()))).toContain(
      names.join(),
    );
    expect(namesOf(one.resources)).toEqual(names);
  });

  it.each([
    ["/api", "APIVersions"],
    ["/apis", "APIGroupList"],
    ["/apis/batch", "APIGroup"],
    ["/apis/jobset.x-k8s.io", "APIGroup"],
    ["/apis/batch/v1", "APIResourceList"],
  ])("of %s is a %s for a client that does not ask for the aggregated form", (path, kind) => {
    expect(discover(path, PLAIN, "0")).toMatchObject({ kind });
  });

  it.each([
    ["v2", AGGREGATED, "apidiscovery.k8s.io/v2"],
    ["v2beta1", BETA, "apidiscovery.k8s.io/v2beta1"],
  ])("has version %s if the client asks for it", (version, accept, apiVersion) => {
    expect(discover("/apis", accept, "0")).toMatchObject({ apiVersion });
    expect(discoveryMediaType(accept)).toContain(`v=${version};as=APIGroupDiscoveryList`);
  });

  it("reports a version that kubectl compares with its own, and the one of this release", () => {
    expect(discover("/version", PLAIN, "1.2.3")).toMatchObject({ major: "1", gitVersion: "v1.36.0+outlive-1.2.3" });
  });

  it.each(["/apis/apps/v1", "/api/v2", "/openapi/v3/apis/apps/v1", "/"])("knows nothing at %s", (path) => {
    expect(discover(path, PLAIN, "0")).toBeUndefined();
  });
});
