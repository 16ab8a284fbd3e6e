import type { ApiResult } from "../api/api-result.ts";
import type { Load } from "../api/live.ts";
import { change, type Parameters, prefetch, request } from "../api/request.ts";
import type { AttentionAnswer, AttentionEntry } from "../../src/query/attention/attention.ts";

const PATH = "attention";

export function loadAttention(parameters: Parameters): Load<AttentionAnswer> {
  return (signal) => request<AttentionAnswer>(PATH, parameters, signal);
}

/** Sends the first request of the view while the page still loads. */
export function preloadAttention(parameters: Parameters): void {
  prefetch(PATH, parameters);
}

export function acknowledge(
  entry: AttentionEntry,
  given: { readonly note: string; readonly until: string },
): Promise<ApiResult<undefined>> {
  return change("PUT", pathOf(entry), given);
}

export function undoAcknowledgement(entry: AttentionEntry): Promise<ApiResult<undefined>> {
  return change("DELETE", pathOf(entry), undefined);
}

function pathOf({ cluster, namespace, id }: AttentionEntry): string {
  const [inCluster, inNamespace, of] = [cluster, namespace, id].map(encodeURIComponent);
  return `clusters/${inCluster}/namespaces/${inNamespace}/acknowledgements/${of}`;
}
