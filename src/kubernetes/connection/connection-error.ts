/** No answer came, or it was cut off. The message is a sentence that says what to look at. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** There is no usable way to the cluster: no kubeconfig, or one that says too little. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
}

/** The cluster is another one than the one whose capture was to be gone on with. */
export class OtherClusterError extends Error {
  override readonly name = "OtherClusterError";
}
