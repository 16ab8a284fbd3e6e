import { escapeControls, replaceControls } from "../../../src/job/text/terminal-text.ts";
import { type Place, valuesAt } from "./json-path.ts";
import type { Template } from "./parse-template.ts";

/** What a template prints for a document. As in kubectl, nothing ends the last line. */
export function printTemplate(template: Template, place: Place): string {
  return template
    .map((part) => {
      switch (part.kind) {
        case "text":
          return part.text;
        case "path":
          return valuesAt(part.path, place).map(valueText).join(" ");
        case "range":
          return valuesAt(part.path, place)
            .map((current) => printTemplate(part.body, { ...place, current }))
            .join("");
      }
    })
    .join("");
}

/** Text as it is, anything else as JSON on one line. */
export function valueText(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? replaceControls(value) : escapeControls(JSON.stringify(value));
}
