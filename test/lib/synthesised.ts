import { fileURLToPath } from "node:url";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { StageStack } from "../../bin/stage-stack.ts";

/** A stage with retained data. */
export const LIVE = { oidcIssuer: "https://login.example.org", oidcAudience: "outlive" };
/** The page as a client of this stage's issuer. */
export const PAGE_CLIENT = {
  pageClientId: "outlive-page",
  pageAuthorizationUrl: "https://login.example.org/authorize",
  pageTokenUrl: "https://login.example.org/token",
};
/** A rule file with each kind of receiver, and the secret with what it names. */
export const RULES = fileURLToPath(new URL("../support/notify/rules.yaml", import.meta.url));
export const RULES_SECRET = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:outlive-rules-a1B2c3";
/** A disposable stage. */
export const TRIAL = { stage: "trial", disposable: "true", openMode: "true" };

export interface Resource {
  /** The construct path without the stack: `Log/Table`. */
  readonly path: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly deletionPolicy?: string;
}

export interface Synthesised {
  readonly template: Template;
  readonly resources: ReadonlyMap<string, Resource>;
  /** What the stage says of itself. What is known only after the deployment is `<...>`. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** An app that does not bundle its functions. */
export function unbundled(): App {
  const context = { "aws:cdk:bundling-stacks": [], "aws:cdk:enable-path-metadata": true };
  return new App({ analyticsReporting: false, context });
}

/** The template of a stage with these settings. */
export function synthesise(context: Readonly<Record<string, string>>): Synthesised {
  const app = unbundled();
  const stack = new StageStack(app, "Outlive", { context: (name) => context[name] });
  const template = Template.fromStack(stack);
  const resources = resourcesOf(template);
  return { template, resources, outputs: outputsIn(resources) };
}

function outputsIn(resources: ReadonlyMap<string, Resource>): Readonly<Record<string, string>> {
  const properties = [...resources.values()].find(({ path }) => path === "Outputs")?.properties ?? {};
  const { "Fn::Join": [, parts] = ["", []] } = properties["Value"] as {
    readonly "Fn::Join"?: readonly [string, readonly unknown[]];
  };
  const text = parts.map((part) => (typeof part === "string" ? part : "<...>")).join("");
  return JSON.parse(text) as Readonly<Record<string, string>>;
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly Metadata?: { readonly "aws:cdk:path"?: string };
}

function resourcesOf(template: Template): ReadonlyMap<string, Resource> {
  const resources = template.toJSON()["Resources"] as Readonly<Record<string, TemplateResource>>;
  return new Map(
    Object.entries(resources).map(([logicalId, { Type, Properties = {}, DeletionPolicy, Metadata }]) => [
      logicalId,
      {
        path: (Metadata?.["aws:cdk:path"] ?? logicalId)
          .replace(/^Outlive\/(Default\/)?/, "")
          .replace(/\/Resource$/, ""),
        type: Type,
        properties: Properties,
        ...(DeletionPolicy !== undefined && { deletionPolicy: DeletionPolicy }),
      },
    ]),
  );
}
