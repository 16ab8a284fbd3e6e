import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { buildPackage } from "../package/build-package.ts";
import { baseLayer, DATA_FOLDER, USER } from "./base-layer.ts";
import { type DebianSource, debianPackage, readPackageLock } from "./debian-packages.ts";
import { nodeLayer } from "./node-layer.ts";
import { imageIndex, ociArchive, type PlatformImage, platformImage } from "./oci-archive.ts";
import { type Layer, type LayerEntry, packLayer } from "./pack-layer.ts";
import { packageLayer, PROGRAM } from "./package-layer.ts";
import type { Platform } from "./platforms.ts";

export interface ImageOptions {
  readonly platforms: readonly Platform[];
  /** The archive to write. */
  readonly file: string;
  readonly debian: DebianSource;
  /** The time of all files and of the image itself. @default 1970, so that it changes with the content only */
  readonly createdAt?: Date;
  /** The commit, if the checkout has one and no changes. */
  readonly revision?: string | undefined;
  /** The address of the sources. */
  readonly source?: string | undefined;
  /** @default 9, the smallest */
  readonly gzipLevel?: number;
}

export interface BuiltImage {
  /** What a registry shows after the push of all platforms. */
  readonly digest: string;
  readonly platforms: readonly BuiltPlatform[];
}

interface BuiltPlatform {
  readonly name: string;
  readonly digest: string;
  /** Compressed bytes of the layers. */
  readonly bytes: Readonly<Record<"base" | "node" | "package", number>>;
}

/** Writes the image as an OCI archive. The same sources give the same bytes. */
export async function buildImage(options: ImageOptions): Promise<BuiltImage> {
  const { createdAt = new Date(0), gzipLevel = 9, platforms, file, debian } = options;
  const pack = (entries: readonly LayerEntry[]) => packLayer(entries, { modifiedAt: createdAt, gzipLevel });
  const outlive = await pack(await packageEntries());
  const labels = labelsOf(options);
  const built = await Promise.all(
    platforms.map(async (platform) => {
      const base = await pack(baseLayer(await debianPackages(platform, debian)));
      const node = await pack(await nodeLayer(platform, debian.cache));
      const layers = { base, node, package: outlive };
      const settings = { createdAt, config: { ...CONFIG, Labels: labels } };
      return { layers, image: platformImage(platform, Object.values(layers), settings) };
    }),
  );
  const images = built.map(({ image }) => image);
  const index = imageIndex(images, labels);
  await writeFile(file, await ociArchive(index, images, { tag: manifest.version, modifiedAt: createdAt }));
  return { digest: index.digest, platforms: built.map(builtPlatform) };
}

const CONFIG = {
  User: `${USER}:${USER}`,
  WorkingDir: `/${DATA_FOLDER}`,
  Entrypoint: [`/${PROGRAM}`],
  Cmd: ["--help"],
  Env: ["PATH=/usr/local/bin"],
  ExposedPorts: { "8080/tcp": {}, "9090/tcp": {} },
} as const;

function labelsOf({ revision, source }: ImageOptions): Readonly<Record<string, string>> {
  return {
    "org.opencontainers.image.title": manifest.name,
    "org.opencontainers.image.description": manifest.description,
    "org.opencontainers.image.version": manifest.version,
    "org.opencontainers.image.licenses": manifest.license,
    ...(revision !== undefined && { "org.opencontainers.image.revision": revision }),
    ...(source !== undefined && { "org.opencontainers.image.source": source }),
  };
}

async function packageEntries(): Promise<readonly LayerEntry[]> {
  const folder = await mkdtemp(join(tmpdir(), "outlive-image-"));
  try {
    await buildPackage(folder);
    return await packageLayer(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function debianPackages({ architecture }: Platform, source: DebianSource) {
  const lock = await readPackageLock();
  return Promise.all(lock.packages[architecture].map((locked) => debianPackage(locked, lock, source)));
}

function builtPlatform({
  layers,
  image,
}: {
  readonly layers: Readonly<Record<"base" | "node" | "package", Layer>>;
  readonly image: PlatformImage;
}): BuiltPlatform {
  const { base, node, package: outlive } = layers;
  return {
    name: image.platform.name,
    digest: image.manifest.digest,
    bytes: {
      base: base.blob.bytes.length,
      node: node.blob.bytes.length,
      package: outlive.blob.bytes.length,
    },
  };
}
