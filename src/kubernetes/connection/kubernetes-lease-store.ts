import { formatMillis, parseInstant } from "../../job/model/instant.ts";
import type { Lease, LeaseStore, LeaseWriteOutcome, StoredLease } from "../../ports/lease-store.ts";
import { bodyText } from "../json/body-text.ts";
import type { ClusterConnection, ClusterResponse, RequestOptions } from "./cluster-connection.ts";
import { countOf, fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { parseObject } from "../json/object-scanner.ts";

export interface LeaseName {
  readonly namespace: string;
  readonly name: string;
}

/** The annotation that contains the position. Annotations hold 256 KiB in all; a position is smaller than 10 KiB. */
const POSITION_ANNOTATION = "outlive.dev/position";
/** The longest wait for a response. A holder whose requests hang must notice before its lease expires. */
const REQUEST_MILLIS = 3000;

function withTimeout(): RequestOptions {
  return { signal: AbortSignal.timeout(REQUEST_MILLIS) };
}

/**
 * A Lease (`coordination.k8s.io/v1`, GA since 1.19) in the API server. Writes require the resourceVersion that was
 * read.
 */
export function createKubernetesLeaseStore(connection: ClusterConnection, { namespace, name }: LeaseName): LeaseStore {
  const collection = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
  const path = `${collection}/${encodeURIComponent(name)}`;
  const errorFor = (verb: string, response: ClusterResponse) =>
    LeaseError.of(response.status, { server: connection.server, namespace, name, verb });
  return {
    async read() {
      const response = await connection.get(path, withTimeout());
      const body = parseObject(await bodyText(response));
      if (response.status === 404 && textOf(body?.["reason"]) === "NotFound") return undefined;
      if (response.status !== 200 || body === undefined) throw errorFor("get", response);
      return toLease(body);
    },
    async create(lease) {
      const json = JSON.stringify(toObject(lease, { namespace, name }));
      return written(await connection.send("POST", collection, { json, ...withTimeout() }), (response) =>
        errorFor("create", response),
      );
    },
    async replace(lease, revision) {
      const json = JSON.stringify(toObject(lease, { namespace, name, resourceVersion: revision }));
      return written(await connection.send("PUT", path, { json, ...withTimeout() }), (response) =>
        errorFor("update", response),
      );
    },
  };
}

async function written(
  response: ClusterResponse,
  errorFor: (response: ClusterResponse) => LeaseError,
): Promise<LeaseWriteOutcome> {
  const body = parseObject(await bodyText(response));
  if (response.status === 409) return { outcome: "conflict" };
  if ((response.status !== 200 && response.status !== 201) || body === undefined) throw errorFor(response);
  return { outcome: "written", lease: toLease(body) };
}

function toObject(lease: Lease, metadata: LeaseName & { readonly resourceVersion?: string }): JsonObject {
  const { holder, durationSeconds, renewedAt, acquiredAt, transitions, position } = lease;
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...metadata, ...(position !== undefined && { annotations: { [POSITION_ANNOTATION]: position } }) },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: durationSeconds,
      renewTime: microTime(renewedAt),
      acquireTime: microTime(acquiredAt),
      leaseTransitions: transitions,
    },
  };
}

/** The API server accepts MicroTime only with six digits. */
function microTime(instant: number): string {
  return formatMillis(instant).replace("Z", "000Z");
}

function toLease(object: JsonObject): StoredLease {
  const metadata = fieldsOf(object["metadata"]);
  const spec = fieldsOf(object["spec"]);
  const position = textOf(fieldsOf(metadata["annotations"])[POSITION_ANNOTATION]);
  return {
    revision: textOf(metadata["resourceVersion"]) ?? "",
    holder: textOf(spec["holderIdentity"]) ?? "",
    durationSeconds: countOf(spec["leaseDurationSeconds"]) ?? 0,
    renewedAt: parseInstant(spec["renewTime"]) ?? 0,
    acquiredAt: parseInstant(spec["acquireTime"]) ?? 0,
    transitions: countOf(spec["leaseTransitions"]) ?? 0,
    ...(position !== undefined && { position }),
  };
}

interface LeaseRequest {
  readonly server: string;
  readonly namespace: string;
  readonly name: string;
  readonly verb: string;
}

/** The Lease can be neither read nor written, so the exporter cannot know which replica sends. */
class LeaseError extends Error {
  override readonly name = "LeaseError";

  static of(status: number, request: LeaseRequest): LeaseError {
    return new LeaseError(leaseProblem(status, request));
  }
}

const LEASE_RULE = '{apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"]}';

function leaseProblem(status: number, { server, namespace, name, verb }: LeaseRequest): string {
  const lease = `Lease ${namespace}/${name}`;
  switch (status) {
    case 401:
      return `${server} refused the credentials (401). Renew them to use ${lease}.`;
    case 403:
      return `Cannot ${verb} ${lease}: access denied (403). Grant ${LEASE_RULE} in a Role in ${namespace}.`;
    case 404:
      return `Cannot use ${lease}: namespace ${namespace} does not exist (404). Create it, or change --lease.`;
  }
  return `${server} failed to serve ${lease} (${status}).`;
}
