import { ClusterText } from "../text/cluster-text.tsx";
import { linkTo, type View } from "./route.ts";

interface PlaceLinksProps {
  /** The list that the links filter. */
  readonly view: View;
  readonly cluster: string;
  readonly namespace: string;
}

/** The cluster and the namespace, each with a link to what else is there. */
export function PlaceLinks({ view, cluster, namespace }: PlaceLinksProps) {
  return (
    <>
      <a href={linkTo(view, [], { cluster })}>
        <ClusterText text={cluster} />
      </a>{" "}
      /{" "}
      <a href={linkTo(view, [], { cluster, namespace })}>
        <ClusterText text={namespace} />
      </a>
    </>
  );
}
