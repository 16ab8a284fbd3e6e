import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { apiWith } from "../../support/http/request-api.ts";

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Readonly<Record<string, unknown>>;
  }[];
}

async function document(): Promise<Document> {
  const { ask } = await apiWith([]);
  return (await ask("/v1/openapi.json")).body as Document;
}

describe("the OpenAPI document", () => {
  it("is valid for an independent validator", async () => {
    const found = await document();
    expect(await new Validator().validate({ ...structuredClone(found) })).toEqual({ valid: true });
    // The validator finds faults at all.
    const faulty = { ...structuredClone(found), paths: { "/v1/jobs": { get: { responses: 1 } } } };
    expect(await new Validator().validate(faulty)).toMatchObject({ valid: false });
  });

  it("is of version 3.1 and has every route of the contract", async () => {
    const { openapi, paths } = await document();
    const job = "/v1/clusters/{cluster}/namespaces/{namespace}/jobs/{name}";
    const run = "/v1/clusters/{cluster}/namespaces/{namespace}/runs/{kind}/{name}";
    expect(openapi).toBe("3.1.0");
    expect(Object.keys(paths).toSorted()).toEqual(
      [
        "/v1/attention",
        "/v1/clusters/{cluster}/namespaces/{namespace}/acknowledgements/{id}",
        "/v1/jobs",
        "/v1/clusters/{cluster}/jobs/batch",
        job,
        `${job}/pods`,
        `${job}/history`,
        `${job}/why`,
        `${job}/evidence`,
        `${job}/compare`,
        `${job}/indexes`,
        `${job}/wait`,
        "/v1/runs",
        run,
        `${run}/jobs`,
        `${run}/history`,
        `${run}/why`,
        `${run}/compare`,
        `${run}/wait`,
        "/v1/changes",
        "/v1/cronjobs",
        "/v1/clusters/{cluster}/namespaces/{namespace}/cronjobs/{name}/runs",
        "/v1/clusters",
        "/v1/gaps",
        "/v1/summary",
        "/v1/usage",
        "/v1/nodes",
        "/v1/metrics",
        "/metrics",
        "/v1/healthz",
        "/v1/readyz",
      ].toSorted(),
    );
  });

  it("has terms only that every generator of clients knows", async () => {
    const { components } = await document();
    expect(JSON.stringify(components)).not.toContain("prefixItems");
    expect(components.schemas["Job"]).toMatchObject({ properties: { podsUnread: { type: "boolean" } } });
    expect(JSON.stringify(components)).not.toContain('"const":true');
  });

  it("has every parameter of the list, with its bounds", async () => {
    const { parameters } = (await document()).paths["/v1/jobs"]?.get ?? { parameters: [] };
    expect(parameters.map(({ name }) => name)).toEqual([
      "cluster",
      "namespace",
      "name",
      "state",
      "labelSelector",
      "fieldSelector",
      "owner",
      "run",
      "createdAfter",
      "createdBefore",
      "startedAfter",
      "startedBefore",
      "finishedAfter",
      "finishedBefore",
      "deletedAfter",
      "deletedBefore",
      "waiting",
      "attention",
      "sort",
      "limit",
      "cursor",
      "expected",
      "usage",
    ]);
    expect(parameters.find(({ name }) => name === "limit")?.schema).toMatchObject({
      type: "integer",
      minimum: 1,
      maximum: 500,
    });
  });

  it("has the methods and the body of what changes something", async () => {
    const path = "/v1/clusters/{cluster}/namespaces/{namespace}/acknowledgements/{id}";
    const {
      put,
      delete: remove,
      ...others
    } = Object((await document()).paths[path]) as Readonly<Record<string, { readonly requestBody?: unknown }>>;
    expect(others).toEqual({});
    expect(put?.requestBody).toMatchObject({
      required: true,
      content: { "application/json": { schema: { required: ["note", "until"], additionalProperties: false } } },
    });
    expect(remove).not.toHaveProperty("requestBody");
  });

  it("refers only to what it defines, and defines nothing in vain", async () => {
    const whole = await document();
    const text = JSON.stringify(whole);
    const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    expect(referred).toEqual(new Set(Object.keys(whole.components.schemas)));
    expect(text).not.toContain("$defs");
  });

  it("gives each operation a unique name", async () => {
    const operations = Object.values((await document()).paths).flatMap((path) => Object.values(path));
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });
});
