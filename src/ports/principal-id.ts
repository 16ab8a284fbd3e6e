/**
 * The unique id of the IAM principal in SQS's `SenderId` or in `requestContext.identity.caller` of an API with IAM
 * authorization. `AIDA...` is an IAM user. A role is `AROA...:session`; its session name is removed, because the caller
 * chooses it. A federated user is `account:name` and stays unchanged: the part before the colon is the account's root.
 */
export function principalIdOf(callerId: string): string {
  return /^(AROA[A-Z0-9]+):/.exec(callerId)?.[1] ?? callerId;
}

/**
 * Whether `text` can be the id of a user, a role, or an account (its root). IAM ids have 16 to 128 characters (IAM API,
 * `idType`).
 */
export function isPrincipalId(text: string): boolean {
  return /^(AROA|AIDA)[A-Z0-9]{12,124}$|^\d{12}$/.test(text);
}
