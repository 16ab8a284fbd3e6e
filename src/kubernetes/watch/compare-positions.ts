import type { Position, ResourcePosition } from "./position.ts";
import { RESOURCE_KINDS } from "../connection/watched-resource.ts";

/**
 * Whether whoever stands at `later` has seen, of each resource that `earlier` names, all that leads up to there. Positions of different clusters reach nothing
 * of each other; after an etcd restore the new epoch stands after all of the old one.
 */
export function reachesPosition(later: Position, earlier: Position): boolean {
  if (later.clusterUid !== earlier.clusterUid || later.epoch < earlier.epoch) return false;
  return RESOURCE_KINDS.every(({ resource }) => {
    const sought = earlier.resources[resource];
    const found = later.resources[resource];
    if (sought === undefined) return true;
    return (
      found !== undefined &&
      (later.epoch > earlier.epoch ? found.resourceVersion !== undefined : isAsFar(found, sought))
    );
  });
}

/** `floor`, and for each resource that it does not name the place of `position`. */
export function fillPosition(floor: Position | undefined, position: Position): Position {
  return floor === undefined ? position : { ...floor, resources: { ...position.resources, ...floor.resources } };
}

/** A place without a number is in the middle of a list: nobody can tell what was told of it, so nobody has seen as much. */
function isAsFar({ resourceVersion: found }: ResourcePosition, { resourceVersion: sought }: ResourcePosition): boolean {
  return found !== undefined && sought !== undefined && found >= sought;
}
