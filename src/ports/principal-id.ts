/**
 * The unique id of the IAM principal behind what AWS says of a caller: SQS's `SenderId`, or `requestContext.identity.caller` of an API that asks for IAM.
 * `AIDA...` is an IAM user; of a role it is `AROA...:session`, and the session's name is chosen by whoever assumes the role, so it is left out. Only a role's
 * id is cut: a federated user's is `account:name`, and what stands before that colon would be the account's root.
 */
export function principalIdOf(callerId: string): string {
  return /^(AROA[A-Z0-9]+):/.exec(callerId)?.[1] ?? callerId;
}

/** Whether `text` can be a principal's id: of a user, of a role, or of an account, which is its root. IAM ids are 16 to 128 characters (IAM API, `idType`). */
export function isPrincipalId(text: string): boolean {
  return /^(AROA|AIDA)[A-Z0-9]{12,124}$|^\d{12}$/.test(text);
}
