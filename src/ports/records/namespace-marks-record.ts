import * as v from "valibot";
import type { NamespaceMarksRecord } from "../../job/model/cluster-context.ts";
import { namespaceDeleted, namespaceObserved } from "./cluster-fact-schemas.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `namespaceMarks`, by the name of the namespace. */
export const namespaceMarksRecord = recordCodec<NamespaceMarksRecord>(
  "namespaceMarks",
  v.looseObject({
    namespace: v.string(),
    observed: v.exactOptional(namespaceObserved),
    deleted: v.exactOptional(namespaceDeleted),
  }),
);
