import * as v from "valibot";
import type { NodeRecord } from "../../job/model/cluster-context.ts";
import { nodeDeleted, nodeObserved } from "./cluster-fact-schemas.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `node`, by the Node's name. */
export const nodeRecord = recordCodec<NodeRecord>(
  "node",
  v.looseObject({
    node: v.string(),
    stands: v.array(nodeObserved),
    deleted: v.array(nodeDeleted),
    labelled: v.exactOptional(v.array(nodeObserved)),
    lifecycles: v.exactOptional(v.array(nodeObserved)),
  }),
);
