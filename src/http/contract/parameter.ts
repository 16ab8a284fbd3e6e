import * as v from "valibot";

/** The value of a parameter, or what is wrong with its text. */
export type ReadText<Value> = { readonly value: Value } | { readonly problem: string };

/** The schema of a parameter in the OpenAPI document. */
export interface ParameterSchema {
  readonly type: "string" | "integer" | "boolean" | "array";
  readonly [keyword: string]: unknown;
}

export type Parameter<Value> = v.GenericSchema<string, Value>;

/**
 * A parameter, which is text on the wire. `read` returns its value or a problem; `schema` describes it.
 * The repeated values of an `array` arrive as one text, joined by commas.
 */
export function parameter<Value>(
  description: string,
  schema: ParameterSchema,
  read: (text: string) => ReadText<Value>,
): Parameter<Value> {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const result = read(dataset.value);
      if ("value" in result) return result.value;
      addIssue({ message: result.problem });
      return NEVER;
    }),
    v.metadata({ parameter: { description, schema } }),
  );
}

export interface ParameterDescription {
  readonly description: string;
  readonly schema: ParameterSchema;
}

/** The description that {@link parameter} stored in its schema. */
export function describeParameter(schema: v.GenericSchema): ParameterDescription {
  const { parameter: described } = v.getMetadata(schema) as { readonly parameter: ParameterDescription };
  return described;
}
