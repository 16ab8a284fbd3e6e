import { ApiReader, type ApiReaderOptions } from "./api-reader.ts";
import { bodyText } from "../json/body-text.ts";
import type { ClusterResponse } from "./cluster-connection.ts";
import { OtherClusterError } from "./connection-error.ts";
import { fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { parseObject } from "../json/object-scanner.ts";

/** The identity of the cluster: the uid of namespace kube-system never changes, unlike names and addresses. */
export class ClusterIdentity {
  readonly #options: Omit<ApiReaderOptions, "check">;
  #uid: string | undefined;
  #serverVersion: string | undefined;
  /** The current request: concurrent callers share it. */
  #confirming: Promise<void> | undefined;

  /** `expected`: the uid that the cluster must have; `undefined` where it is not known yet. */
  constructor(options: Omit<ApiReaderOptions, "check">, expected: string | undefined) {
    this.#options = options;
    this.#uid = expected;
  }

  /** `undefined` where access is denied: reading it requires get on namespace kube-system. */
  get uid(): string | undefined {
    return this.#uid;
  }

  /** The version that `GET /version` reports, for example `v1.36.3`. */
  get serverVersion(): string | undefined {
    return this.#serverVersion;
  }

  /**
   * Reads the cluster's identity. Throws OtherClusterError where it differs from the known one,
   * and ConnectionError or GivenUpError where the cluster does not respond.
   */
  confirm(): Promise<void> {
    this.#confirming ??= this.#readIdentity().finally(() => {
      this.#confirming = undefined;
    });
    return this.#confirming;
  }

  async #readIdentity(): Promise<void> {
    const namespace = await this.#read("/api/v1/namespaces/kube-system");
    const uid = textOf(fieldsOf(namespace["metadata"])["uid"]);
    if (uid !== undefined && this.#uid !== undefined && uid !== this.#uid) {
      throw new OtherClusterError(
        `${this.#options.connection.server} is another cluster than before: the uid of its namespace kube-system is ` +
          `${uid}, not ${this.#uid}. Use a cluster name and a position of its own.`,
      );
    }
    this.#uid ??= uid;
    this.#serverVersion = textOf((await this.#read("/version"))["gitVersion"]) ?? this.#serverVersion;
  }

  /** The object at `path`, or an empty one where access is denied. */
  async #read(path: string): Promise<JsonObject> {
    let found: JsonObject | undefined;
    const check = async (response: ClusterResponse): Promise<void> => {
      const text = await bodyText(response);
      if (response.status === 200) found = parseObject(text);
    };
    await new ApiReader({ ...this.#options, check }).open(path);
    return found ?? {};
  }
}
