import type { FieldKind, SideField, UnknownReason } from "./compared-field.ts";
import { known, orNone, setOf } from "./side-fields.ts";

/** What the log says about the images of a Job, by container. */
export interface JobImages {
  /** Hashes of the references in the Pod template. */
  readonly images: ReadonlyMap<string, string>;
  /** The digests that nodes reported of containers that ended. */
  readonly digests: ReadonlyMap<string, ReadonlySet<string>>;
  /** Why facts of the Job are missing: the log has them no more, or there are too many to read. */
  readonly unread?: "expired" | "truncated";
}

/** Digests are known only if all facts were read: another Pod may have run another content. */
export function imageFields({ images, digests, unread }: JobImages): readonly SideField[] {
  const ofTemplate = [...images].map(([key, image]) => known("image", image, { key }));
  const ran = unread === undefined ? [...digests] : [];
  return [...ofTemplate, ...ran.flatMap(([key, all]) => orNone("imageDigest", setOf(all), { key }))];
}

/** `pods`: why nothing is known of containers that have not ended. */
export function unknownOfImages(
  { images, unread }: JobImages,
  pods: UnknownReason,
): Partial<Record<FieldKind, UnknownReason>> {
  return {
    ...(images.size === 0 && { image: unread === "expired" ? unread : "notRecorded" }),
    imageDigest: pods === "noPods" ? pods : (unread ?? pods),
  };
}
