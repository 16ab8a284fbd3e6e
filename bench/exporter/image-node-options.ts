import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The `NODE_OPTIONS` of the exporter's image: figures of its memory are meaningless with other limits. */
export function imageNodeOptions(): string {
  const dockerfile = readFileSync(join(import.meta.dirname, "../../exporter/Dockerfile"), "utf8");
  const [, options] = /^ENV NODE_OPTIONS="(.*)"$/m.exec(dockerfile) ?? [];
  if (options === undefined) throw new Error("exporter/Dockerfile sets no NODE_OPTIONS.");
  return options;
}
