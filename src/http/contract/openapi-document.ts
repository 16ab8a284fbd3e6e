import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { describeParameter } from "./parameter.ts";
import { PROBLEM_MEDIA_TYPE } from "./problem.ts";
import { unwrapped } from "./read-parameters.ts";
import type { Route } from "./route.ts";
import { COMPONENTS } from "./components.ts";

/** The OpenAPI 3.1 document of the routes, from the schemas that read their parameters and describe their answers. */
export function openApiDocument(routes: readonly Route[], version: string): Readonly<Record<string, unknown>> {
  return {
    openapi: "3.1.0",
    info: {
      title: "Outlive",
      version,
      description:
        "Status and history of Kubernetes Jobs, including deleted " +
        "ones. Everything but acknowledgements is read-only. Errors are problem details (RFC 9457).",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{}, { bearer: [] }],
    paths: Object.fromEntries(
      [...Map.groupBy(routes, ({ template }) => template)].map(([template, of]) => [
        template,
        Object.fromEntries(of.map((route) => [(route.method ?? "GET").toLowerCase(), operation(route)])),
      ]),
    ),
    components: {
      schemas: toJsonSchemaDefs(COMPONENTS, CONVERSION),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A token of this server, or of its OpenID Connect issuer.",
        },
      },
    },
  };
}

const CONVERSION: ConversionConfig = {
  target: "draft-2020-12",
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({ jsonSchema }) => plainer(jsonSchema),
};

/**
 * Replaces terms that some client generators do not support: a value that is always `true` becomes a boolean.
 * `undefined` if the schema needs no change.
 */
function plainer(schema: JsonSchema): JsonSchema | undefined {
  const { const: constant, ...literal } = schema;
  return typeof constant === "boolean" ? { ...literal, type: "boolean" } : undefined;
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "A parameter, the cursor or the body is invalid. The problem lists each error.",
  401: "The token or AWS signature is missing or invalid.",
  403:
    "The reader has no grants, or not the one to acknowledge; the Host header of a server without tokens is not a " +
    "loopback name; or a page of another origin has sent a change.",
  404: "Not found. The problem suggests similar names.",
  405: "This server only reads.",
  406: "This server does not support streams. Poll instead.",
  413: "The body is too large.",
  414: "The request is too large.",
  415: "The body is not JSON.",
  429: "Too many requests of this reader are in progress, or have used its share of the server. See Retry-After.",
  500: "Internal error. The server's log has the cause.",
  503: "The store or the token issuer is not available, or too many streams are open.",
};

function operation(route: Route): Readonly<Record<string, unknown>> {
  const statuses = [
    ...new Set([400, 414, ...(route.open === true ? [] : [401, 403, 429, 503]), ...route.statuses, 500]),
  ].sort((a, b) => a - b);
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.open === true && { security: [] }),
    parameters: [...parameters("path", route.path), ...parameters("query", route.query)],
    ...(route.body && {
      requestBody: { required: true, content: { "application/json": { schema: bodySchema(route.body) } } },
    }),
    responses: {
      200: { description: route.answerIs, content: { [mediaTypeOf(route)]: { schema: answerSchema(route.answer) } } },
      ...Object.fromEntries(statuses.map((status) => [status, problemResponse(status)])),
    },
  };
}

/** Parameters of the media type, such as a version, are not part of the key: a client could not match them. */
function mediaTypeOf({ answerType = "application/json" }: Route): string {
  return answerType.split(";")[0] ?? answerType;
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

/** As it is sent: checks that JSON Schema cannot express are in the descriptions of the fields. */
function bodySchema(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, ...converted } = toJsonSchema(schema, { ...CONVERSION, typeMode: "input", errorMode: "ignore" });
  return converted;
}

function answerSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, { ...CONVERSION, definitions: COMPONENTS });
  return converted;
}
