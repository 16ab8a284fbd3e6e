import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { describeParameter } from "./parameter.ts";
import { PROBLEM_MEDIA_TYPE } from "./problem.ts";
import { unwrapped } from "./read-parameters.ts";
import type { Route } from "./route.ts";
import { COMPONENTS } from "./components.ts";

/** The OpenAPI 3.1 document of the routes, made of the schemas that read their parameters and describe their answers. */
export function openApiDocument(routes: readonly Route[], version: string): Readonly<Record<string, unknown>> {
  return {
    openapi: "3.1.0",
    info: {
      title: "Outlive",
      version,
      description: "Job status that outlives its Pods. Reads only. Errors are problem details (RFC 9457).",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{}, { bearer: [] }],
    paths: Object.fromEntries(routes.map((route) => [route.template, { get: operation(route) }])),
    components: {
      schemas: toJsonSchemaDefs(COMPONENTS, CONVERSION),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A token of the server, or of its OpenID Connect issuer.",
        },
      },
    },
  };
}

const CONVERSION: ConversionConfig = {
  target: "draft-2020-12",
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "A parameter, the cursor or a body is refused; the problem says which and why.",
  401: "Who asks did not say who they are: a token is needed, or an AWS signature, and none or another was sent.",
  403: "Who asks is granted nothing here; without a token only loopback names are answered.",
  404: "There is no such thing; the problem names what is near.",
  406: "This server sends answers whole: poll instead.",
  500: "The answer could not be computed.",
  503: "The store cannot be read, or the keys that tokens are checked with; or too many streams are open.",
};

function operation(route: Route): Readonly<Record<string, unknown>> {
  const statuses = [...new Set([400, ...(route.open === true ? [] : [401, 403, 503]), ...route.statuses, 500])].sort(
    (a, b) => a - b,
  );
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.open === true && { security: [] }),
    parameters: [...parameters("path", route.path), ...parameters("query", route.query)],
    responses: {
      200: { description: route.answerIs, content: { "application/json": { schema: answerSchema(route.answer) } } },
      ...Object.fromEntries(statuses.map((status) => [status, problemResponse(status)])),
    },
  };
}

function parameters(place: "path" | "query", entries: v.ObjectEntries): readonly unknown[] {
  return Object.entries(entries).map(([name, entry]) => {
    const { description, schema } = describeParameter(unwrapped(entry));
    return { name, in: place, required: place === "path" || !("wrapped" in entry), description, schema };
  });
}

function problemResponse(status: number): unknown {
  return {
    description: STATUS_TEXT[status] ?? "",
    content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}

function answerSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, { ...CONVERSION, definitions: COMPONENTS });
  return converted;
}
