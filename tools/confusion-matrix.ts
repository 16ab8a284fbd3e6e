// Compares who is responsible for the causes of Jobs, and what a retry needs, with what truly happened in recordings.
// `node tools/confusion-matrix.ts` prints the matrix; `--write` also writes it into docs/answers/responsibility.md.
import { readFileSync, writeFileSync } from "node:fs";
import { judgeRecordings } from "./confusion/judge.ts";
import { matrixText } from "./confusion/matrix.ts";
import { publish } from "./confusion/publish.ts";

const text = matrixText(await judgeRecordings());
process.stdout.write(`${text}\n`);
if (process.argv.includes("--write")) {
  const path = new URL("../docs/answers/responsibility.md", import.meta.url);
  writeFileSync(path, publish(readFileSync(path, "utf8"), text));
}
