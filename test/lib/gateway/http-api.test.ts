import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Match } from "aws-cdk-lib/assertions";
import { afterAll, describe, expect, it } from "vitest";
import { scratchFolder } from "../../support/running/run-outlive.ts";
import { LIVE, synthesise } from "../synthesised.ts";

const live = synthesise(LIVE);
const folder = scratchFolder();
afterAll(() => folder.remove());

function limit(HttpMethod: string, ResourcePath: string, ThrottlingRateLimit: number) {
  const ThrottlingBurstLimit = 2 * ThrottlingRateLimit;
  return Match.objectLike({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit });
}

describe("the API", () => {
  it("throttles its routes, and the page and the health routes each on their own", () => {
    synthesise({ ...LIVE, requestsPerSecond: "70" }).template.hasResourceProperties("AWS::ApiGateway::Stage", {
      StageName: "live",
      MethodSettings: [
        limit("*", "/*", 70),
        limit("GET", "/", 50),
        limit("GET", "/~1{file}", 50),
        limit("GET", "/~1v1~1healthz", 5),
        limit("GET", "/~1v1~1readyz", 5),
      ],
    });
  });

  it("has a web ACL only on request", () => {
    live.template.resourceCountIs("AWS::WAFv2::WebACL", 0);
    synthesise({ ...LIVE, webAcl: "true" }).template.resourceCountIs("AWS::WAFv2::WebACL", 1);
  });

  it("gives the function the templates of log links", () => {
    expect(queryVariables(live)).not.toHaveProperty("OUTLIVE_LOG_LINK_TEMPLATES");
    const logLinks = fileURLToPath(new URL("../../../package.json", import.meta.url));
    expect(() => synthesise({ ...LIVE, logLinks: "none.yaml" })).toThrow('Invalid logLinks "none.yaml"');
    expect(() => synthesise({ ...LIVE, logLinks })).toThrow("Expected a file of at most 2500 bytes.");
    const templates = "links: [{ name: Grafana, url: 'https://grafana.example.org/?pod={pod}' }]";
    const valid = join(folder.path, "links.yaml");
    writeFileSync(valid, templates);
    expect(queryVariables(synthesise({ ...LIVE, logLinks: valid }))).toMatchObject({
      OUTLIVE_LOG_LINK_TEMPLATES: '{"links":[{"name":"Grafana","url":"https://grafana.example.org/?pod={pod}"}]}',
    });
  });

  it("requires an API key if so configured", () => {
    live.template.resourceCountIs("AWS::ApiGateway::UsagePlan", 0);
    synthesise({ ...LIVE, apiKey: "true" }).template.resourceCountIs("AWS::ApiGateway::UsagePlan", 1);
  });

  it("verifies signatures by API Gateway if readers are IAM principals", () => {
    const routes = [...synthesise({ iamAccess: "true" }).resources.values()].filter(
      ({ type, properties }) => type === "AWS::ApiGateway::Method" && properties["HttpMethod"] === "ANY",
    );
    expect(new Set(routes.map(({ properties }) => properties["AuthorizationType"]))).toEqual(new Set(["AWS_IAM"]));
  });

  it("takes the messages of agents with the access of its other routes", () => {
    const { resources } = synthesise({ iamAccess: "true" });
    const methods = [...resources.values()].filter(
      ({ type, path }) => type === "AWS::ApiGateway::Method" && path.includes("/mcp/"),
    );
    expect(methods.map(({ properties }) => [properties["HttpMethod"], properties["AuthorizationType"]])).toEqual([
      ["ANY", "AWS_IAM"],
    ]);
  });

  it("answers the health routes without authentication, even if other routes need a signature", () => {
    const { resources } = synthesise({ iamAccess: "true" });
    const health = [...resources.values()].filter(
      ({ type, path }) => type === "AWS::ApiGateway::Method" && /healthz|readyz/.test(path),
    );
    expect(health.map(({ properties }) => properties["AuthorizationType"])).toEqual(["NONE", "NONE"]);
  });
});

function queryVariables({ resources }: ReturnType<typeof synthesise>): unknown {
  const query = [...resources.values()].find(({ path }) => path === "Query/Query/Function");
  return (query?.properties["Environment"] as { readonly Variables: unknown } | undefined)?.Variables;
}
