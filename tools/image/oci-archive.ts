import { packTar } from "modern-tar";
import { type Blob, descriptorOf, jsonBlobOf } from "./blob.ts";
import type { Layer } from "./pack-layer.ts";
import type { Platform } from "./platforms.ts";

/** What all platforms of an image have in common (image-spec, config.md). */
export interface ImageSettings {
  readonly createdAt: Date;
  readonly config: object;
}

/** The image of one platform: its manifest, and the blobs that it refers to. */
export interface PlatformImage {
  readonly platform: Platform;
  readonly manifest: Blob;
  readonly blobs: readonly Blob[];
}

export function platformImage(
  platform: Platform,
  layers: readonly Layer[],
  { createdAt, config }: ImageSettings,
): PlatformImage {
  const configuration = jsonBlobOf("application/vnd.oci.image.config.v1+json", {
    created: createdAt.toISOString(),
    architecture: platform.architecture,
    os: "linux",
    config,
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
  });
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = jsonBlobOf(mediaType, {
    schemaVersion: 2,
    mediaType,
    config: descriptorOf(configuration),
    layers: layers.map(({ blob }) => descriptorOf(blob)),
  });
  return { platform, manifest, blobs: [configuration, ...layers.map(({ blob }) => blob)] };
}

/** The index of all platforms. A registry shows its digest. */
export function imageIndex(images: readonly PlatformImage[], annotations: Readonly<Record<string, string>>): Blob {
  const mediaType = "application/vnd.oci.image.index.v1+json";
  return jsonBlobOf(mediaType, {
    schemaVersion: 2,
    mediaType,
    manifests: images.map(({ platform: { architecture }, manifest }) => ({
      ...descriptorOf(manifest),
      platform: { architecture, os: "linux" },
    })),
    annotations,
  });
}

/** A tar archive of an OCI layout (image-spec, image-layout.md), as skopeo, podman and containerd read it. */
export async function ociArchive(
  index: Blob,
  images: readonly PlatformImage[],
  { tag, modifiedAt }: { readonly tag: string; readonly modifiedAt: Date },
): Promise<Uint8Array> {
  const annotations = {
    // For skopeo and podman, and for containerd (docker load), which needs the whole name.
    "org.opencontainers.image.ref.name": tag,
    "io.containerd.image.name": `docker.io/library/outlive:${tag}`,
  };
  const layout = {
    "oci-layout": { imageLayoutVersion: "1.0.0" },
    "index.json": { schemaVersion: 2, manifests: [{ ...descriptorOf(index), annotations }] },
  };
  const blobs = [index, ...images.flatMap(({ manifest, blobs }) => [manifest, ...blobs])];
  const files = new Map([
    ...Object.entries(layout).map(([name, document]) => [name, Buffer.from(JSON.stringify(document))] as const),
    ...blobs.map(({ digest, bytes }) => [`blobs/${digest.replace(":", "/")}`, bytes] as const),
  ]);
  return packTar(
    [...files].map(([name, bytes]) => ({
      header: { name, size: bytes.length, type: "file", mode: 0o644, mtime: modifiedAt, uid: 0, gid: 0 },
      body: bytes,
    })),
  );
}
