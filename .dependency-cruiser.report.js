// dependency-cruiser is content when it reads nothing (a wrong path, a missing parser); this report is not.

/** @param {import("dependency-cruiser").ICruiseResult} result */
export default function report({ modules, summary }) {
  const imports = modules.filter(({ source }) => source.startsWith("src/")).flatMap(({ dependencies }) => dependencies);
  const lines = summary.violations.map(
    ({ from, to, rule, comment }) => `  ${rule.name}: ${from} -> ${to}${comment ? `\n    ${comment}` : ""}`,
  );
  if (imports.length === 0) {
    lines.push("  read no import of src at all: is @swc/core installed, and is this the project's root?");
  }
  const closing =
    `dependency-cruiser: ${summary.totalCruised} modules, ${imports.length} imports within and out of src, ` +
    `${lines.length} errors`;
  return { output: `${[...lines, closing].join("\n")}\n`, exitCode: Math.min(lines.length, 1) };
}
