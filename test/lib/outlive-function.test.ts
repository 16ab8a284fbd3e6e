import { describe, it, expect } from "vitest";
import { LIVE, synthesise } from "./synthesised.ts";

const live = synthesise(LIVE);

describe("the functions of a stage", () => {
  it("log JSON, and of Lambda's own lines only those about failures", () => {
    live.template.allResourcesProperties("AWS::Lambda::Function", {
      LoggingConfig: { LogFormat: "JSON", SystemLogLevel: "WARN", ApplicationLogLevel: "INFO" },
    });
  });

  it("are traced with the API if so configured", () => {
    const traced = { TracingConfig: { Mode: "Active" } };
    expect(live.template.findResources("AWS::Lambda::Function", { Properties: traced })).toEqual({});
    live.template.hasResourceProperties("AWS::ApiGateway::Stage", { TracingEnabled: false });
    const { template } = synthesise({ ...LIVE, tracing: "true" });
    template.allResourcesProperties("AWS::Lambda::Function", traced);
    template.hasResourceProperties("AWS::ApiGateway::Stage", { TracingEnabled: true });
  });
});
