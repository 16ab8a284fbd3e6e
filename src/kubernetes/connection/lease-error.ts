interface LeaseRequest {
  readonly server: string;
  readonly namespace: string;
  readonly name: string;
  readonly verb: string;
}

/** The Lease can be neither read nor written, so the exporter cannot know which replica sends. */
export class LeaseError extends Error {
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
