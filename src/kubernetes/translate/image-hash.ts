import { createHash } from "node:crypto";
import type { ContainerEnded, ContainerImage, JobSpecified } from "../../job/model/fact.ts";
import { fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { cutText, MAX_CONTAINERS } from "./bounds.ts";

/** 48 bits: of a million images, two have the same hash with a probability of 0.2 %. */
const HEX_DIGITS = 12;
const HASH = /^[0-9a-f]{12}$/;
/** `docker.io/library/busybox@sha256:3fbc...`, or the digest alone. */
const DIGEST = /(?:^|@)sha256:([0-9a-f]{12})/;

/** What a recording has in place of the reference of an image. */
interface HashedImage {
  readonly sha256: string;
}

/** The hash of an image reference as it is written: no tag or registry is added. `undefined` if there is none. */
export function hashedImage(image: unknown): HashedImage | undefined {
  const reference = textOf(image);
  if (reference === undefined) {
    const sha256 = textOf(fieldsOf(image)["sha256"]);
    return sha256 !== undefined && HASH.test(sha256) ? { sha256 } : undefined;
  }
  return { sha256: createHash("sha256").update(reference).digest("hex").slice(0, HEX_DIGITS) };
}

/** The images of the init containers in a Pod template, then of the others. */
export function imagesOf(podSpec: JsonObject): Pick<JobSpecified, "images"> {
  const images = [...imagesIn(podSpec["initContainers"]), ...imagesIn(podSpec["containers"])];
  return images.length === 0 ? {} : { images };
}

function imagesIn(containers: unknown): readonly ContainerImage[] {
  return itemsOf(containers)
    .slice(0, MAX_CONTAINERS)
    .map(fieldsOf)
    .flatMap(({ name, image }) => {
      const [container, hashed] = [textOf(name), hashedImage(image)];
      return container === undefined || hashed === undefined
        ? []
        : [{ container: cutText(container), image: hashed.sha256 }];
    });
}

/** The digest in the `imageID` of a container, without registry and name, and cut: a recording has no more of it. */
export function cutImageId(imageId: unknown): string | undefined {
  const digest = DIGEST.exec(textOf(imageId) ?? "")?.[1];
  return digest === undefined ? undefined : `sha256:${digest}`;
}

export function imageDigestOf(imageId: unknown): Pick<ContainerEnded, "imageDigest"> {
  const imageDigest = DIGEST.exec(textOf(imageId) ?? "")?.[1];
  return imageDigest === undefined ? {} : { imageDigest };
}
