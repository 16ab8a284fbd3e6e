import * as v from "valibot";

/** Schemas of the values in answers. */
export const text = v.string();
export const instant = v.pipe(v.string(), v.isoTimestamp());
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const amount = v.pipe(v.number(), v.minValue(0));
export const whole = v.pipe(v.number(), v.integer());
export const maybe = v.exactOptional;
export const sourceSchema = maybe(
  v.pipe(v.literal("archive"), v.description("The state of the Job has expired: the answer is from the archive.")),
);

/** What a schema describes, read-only. */
export type AnswerOf<Schema extends v.GenericSchema> = ReadOnly<v.InferOutput<Schema>>;
type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: ReadOnly<Value[Name]> }
    : Value;
