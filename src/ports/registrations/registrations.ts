import type { Instant } from "../../job/model/instant.ts";

/**
 * Which IAM principals may send for a cluster, and which may read. Operators write them with commands or with the
 * construct (`outlive/cdk`), and the functions read them. Each is one parameter of Systems Manager.
 */
export interface Registrations {
  /** All registrations of a kind, in any order. */
  list(kind: RegistrationKind): Promise<readonly Registration[]>;
  /** Writes a registration. `isNew` refuses to replace one. */
  write(kind: RegistrationKind, registration: NewRegistration): Promise<"written" | "exists">;
  remove(kind: RegistrationKind, principalId: string): Promise<"removed" | "absent">;
}

export type RegistrationKind = "senders" | "readers";

export interface Registration {
  /** The principal's unique id: `AROA...` for a role, `AIDA...` for a user, 12 digits for the root of an account. */
  readonly principalId: string;
  /** JSON: a {@link SenderRegistration} or a {@link ReaderRegistration}. */
  readonly value: string;
  /** When it was written last. */
  readonly at: Instant;
}

export interface NewRegistration extends Pick<Registration, "principalId" | "value"> {
  readonly isNew?: boolean;
}

export interface SenderRegistration {
  /** The cluster that the principal may send for. */
  readonly cluster: string;
  /** The ARN that the operator gave. It is for display only, because an ARN can be reused. */
  readonly arn?: string | undefined;
}

export interface ReaderRegistration {
  /** What the principal may read (docs/access.md). */
  readonly grants: readonly string[];
  /** The ARN that the operator gave. It is for display only, because an ARN can be reused. */
  readonly arn?: string | undefined;
}
