import type { Position, ResourcePosition } from "./position.ts";
import { RESOURCE_KINDS } from "../connection/watched-resource.ts";

/**
 * Whether `later` covers everything that `earlier` covers, for each resource of `earlier`.
 * Positions of different clusters never cover each other. After an etcd restore, the new epoch covers the old one.
 */
export function reachesPosition(later: Position, earlier: Position): boolean {
  if (later.clusterUid !== earlier.clusterUid || later.epoch < earlier.epoch) return false;
  return RESOURCE_KINDS.every(({ resource }) => {
    const wanted = earlier.resources[resource];
    const reached = later.resources[resource];
    if (wanted === undefined) return true;
    return (
      reached !== undefined &&
      (later.epoch > earlier.epoch ? reached.resourceVersion !== undefined : covers(reached, wanted))
    );
  });
}

/** `floor`, extended by the resources and namespaces of `position` that it lacks. */
export function fillPosition(floor: Position | undefined, position: Position): Position {
  if (floor === undefined) return position;
  const namespaces = { ...position.namespaces, ...floor.namespaces };
  return {
    ...floor,
    resources: { ...position.resources, ...floor.resources },
    ...(Object.keys(namespaces).length > 0 && { namespaces }),
  };
}

/** A position without a resourceVersion was taken during a list, so it is unknown how much of the list was captured. */
function covers(
  { resourceVersion: reached }: ResourcePosition,
  { resourceVersion: wanted }: ResourcePosition,
): boolean {
  return reached !== undefined && wanted !== undefined && reached >= wanted;
}
