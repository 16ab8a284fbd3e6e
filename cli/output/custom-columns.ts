import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { pointAt } from "../../src/query/list/selector-text.ts";
import type { Column } from "./table.ts";
import { valuesAt } from "./template/json-path.ts";
import { parseColumnPath } from "./template/parse-template.ts";
import { valueText } from "./template/print-template.ts";

/** The columns of `-o custom-columns=NAME:.path,...`, as in kubectl. Throws CommandFailure. */
export function parseCustomColumns(spec: string): readonly Column<unknown>[] {
  return partsOf(spec).map((part) => {
    const colon = part.indexOf(":");
    const [header, path] = colon < 0 ? [part, ""] : [part.slice(0, colon).trim(), part.slice(colon + 1).trim()];
    if (header === "" || path === "") {
      throw new CommandFailure(2, `"${part}" is not a column. Write custom-columns=NAME:.name,STATE:.verdict.state.`);
    }
    const parsed = parseColumnPath(path);
    if (parsed.outcome === "rejected") {
      throw new CommandFailure(2, `Invalid path of column ${header}: ${pointAt(path, parsed)}.`);
    }
    return {
      header,
      cell: (row) => valuesAt(parsed.selector, { document: row, current: row }).map(valueText).join(","),
    };
  });
}

/** The texts between commas. A comma in brackets or quotes belongs to a path. */
function partsOf(spec: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of spec.matchAll(/'[^']*'|"[^"]*"|[^]/g)) {
    if (token === "[") depth += 1;
    if (token === "]") depth -= 1;
    if (token === "," && depth <= 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${token}`);
  }
  return parts;
}
