interface AskedOfLease {
  readonly server: string;
  readonly namespace: string;
  readonly name: string;
  readonly verb: string;
}

/** The Lease can be neither read nor written: which of several exporters sends cannot be told. */
export class LeaseError extends Error {
  override readonly name = "LeaseError";

  static of(status: number, asked: AskedOfLease): LeaseError {
    return new LeaseError(sentenceOf(status, asked));
  }
}

function sentenceOf(status: number, { server, namespace, name, verb }: AskedOfLease): string {
  const lease = `Lease ${namespace}/${name}`;
  switch (status) {
    case 401:
      return `${server} does not accept the credentials (401): ${lease} cannot be used until they are renewed.`;
    case 403:
      return `${server} forbids to ${verb} ${lease} (403): grant {apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"]} in a Role in ${namespace}.`;
    case 404:
      return `There is no namespace ${namespace} for ${lease} (404): create it, or name another one with --lease.`;
  }
  return `${server} cannot answer for ${lease} (${status}).`;
}
