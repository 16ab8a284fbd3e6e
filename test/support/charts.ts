import { readFileSync } from "node:fs";
import { Ajv } from "ajv";

/** What the schema of a chart has against values. */
export function chartProblems(chart: string, values: unknown): readonly string[] {
  const path = new URL(`../../deploy/charts/${chart}/values.schema.json`, import.meta.url);
  const validate = new Ajv({ strict: false, allErrors: true }).compile(
    JSON.parse(readFileSync(path, "utf8")) as object,
  );
  validate(values);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
