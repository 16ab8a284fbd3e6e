/** What a reader has access to. Checked for every page, and never stored in a cursor. */
export type Scope = "everything" | { readonly grants: readonly Grant[] };

export interface Grant {
  readonly cluster: string;
  readonly namespaces: "all" | readonly string[];
}

/** What a reader may do. */
export interface Rights {
  readonly scope: Scope;
  /** The namespaces whose entries of the attention list the reader may acknowledge, as far as `scope` has them. */
  readonly acknowledges: Scope;
}

export const NO_SCOPE: Scope = { grants: [] };

/** Whether the reader may see Jobs of this namespace. */
export function mayRead(scope: Scope, cluster: string, namespace: string): boolean {
  if (scope === "everything") return true;
  return scope.grants.some(
    (grant) => grant.cluster === cluster && (grant.namespaces === "all" || grant.namespaces.includes(namespace)),
  );
}

/** Whether the reader may see Jobs of every namespace of the cluster. */
export function mayReadAll(scope: Scope, cluster: string): boolean {
  return (
    scope === "everything" || scope.grants.some((grant) => grant.cluster === cluster && grant.namespaces === "all")
  );
}

/** The clusters of which the reader may see every namespace. */
export function wholeClusters(scope: Scope): Scope {
  return scope === "everything" ? scope : { grants: scope.grants.filter(({ namespaces }) => namespaces === "all") };
}

/** Whether the reader may know that the cluster exists. */
export function mayReadCluster(scope: Scope, cluster: string): boolean {
  return scope === "everything" || scope.grants.some((grant) => grant.cluster === cluster);
}

/** A grant to acknowledge shows nothing by itself. */
export function mayAcknowledge({ scope, acknowledges }: Rights, cluster: string, namespace: string): boolean {
  return mayRead(scope, cluster, namespace) && mayRead(acknowledges, cluster, namespace);
}

/** Whether the reader has no grants. */
export function seesNothing(scope: Scope): boolean {
  return scope !== "everything" && scope.grants.length === 0;
}
