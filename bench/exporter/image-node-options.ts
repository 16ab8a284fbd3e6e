import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What the exporter's image gives Node in `NODE_OPTIONS`: figures of its memory are worth nothing under other bounds.
 */
export function imageNodeOptions(): string {
  const dockerfile = readFileSync(join(import.meta.dirname, "../../exporter/Dockerfile"), "utf8");
  const [, options] = /^ENV NODE_OPTIONS="(.*)"$/m.exec(dockerfile) ?? [];
  if (options === undefined) throw new Error("exporter/Dockerfile sets no NODE_OPTIONS.");
  return options;
}
