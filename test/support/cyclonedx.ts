import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { default as formats } from "ajv-formats";

const SCHEMAS = join(
  dirname(createRequire(import.meta.url).resolve("@cyclonedx/cyclonedx-library/package.json")),
  "res/schema",
);

/** What CycloneDX's own schema has against a bill of materials. */
export function schemaErrors(bill: string): readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { "iri-reference": true, "idn-email": true } });
  formats.default(ajv);
  // The schema refers to these by the names of their files.
  for (const name of ["spdx", "jsf-0.82"]) {
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  const validate = ajv.compile(schema("bom-1.6"));
  validate(JSON.parse(bill));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function schema(name: string): object {
  return JSON.parse(readFileSync(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), "utf8")) as object;
}
