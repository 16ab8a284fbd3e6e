import * as v from "valibot";

/** What a parameter's text was read as. */
export type ReadText<Value> = { readonly value: Value } | { readonly problem: string };

/** How a parameter is written down in the OpenAPI document. */
export interface ParameterSchema {
  readonly type: "string" | "integer" | "boolean" | "array";
  readonly [keyword: string]: unknown;
}

export type Parameter<Value> = v.GenericSchema<string, Value>;

/** A parameter that is text on the wire: `read` makes a value of it or says what is wrong, `schema` describes it. Several of an `array` are one text, joined by commas. */
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

/** What {@link parameter} was given, from the schema it made. */
export function describeParameter(schema: v.GenericSchema): ParameterDescription {
  const { parameter: described } = v.getMetadata(schema) as { readonly parameter: ParameterDescription };
  return described;
}
