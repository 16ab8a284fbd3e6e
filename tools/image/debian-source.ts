import { join } from "node:path";
import { cacheFolder } from "../prepare/provide-node.js";
import type { DebianSource } from "./debian-packages.ts";

/** The mirror that OUTLIVE_DEBIAN_MIRROR names, or the public one. Checksums protect what is downloaded. */
export function debianSource({ OUTLIVE_DEBIAN_MIRROR: mirror = "https://deb.debian.org" }: NodeJS.ProcessEnv) {
  return {
    mirror: mirror.replace(/\/$/, ""),
    snapshots: "https://snapshot.debian.org",
    cache: join(cacheFolder(), "image"),
  } satisfies DebianSource;
}
