import { ApiReader, type ApiReaderOptions } from "./api-reader.ts";
import { bodyText } from "../json/body-text.ts";
import type { ClusterResponse } from "./cluster-connection.ts";
import { OtherClusterError } from "./connection-error.ts";
import { fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { parseObject } from "../json/object-scanner.ts";

/** Which cluster answers: the uid of namespace kube-system lives as long as the cluster does, whatever it and its address are called. */
export class ClusterIdentity {
  readonly #options: Omit<ApiReaderOptions, "check">;
  #uid: string | undefined;
  #serverVersion: string | undefined;
  /** One answer for all who ask at the same time. */
  #asking: Promise<void> | undefined;

  /** `expected`: the uid that it must have; `undefined` where nobody knows yet. */
  constructor(options: Omit<ApiReaderOptions, "check">, expected: string | undefined) {
    this.#options = options;
    this.#uid = expected;
  }

  /** `undefined` where it may not be read: that takes get on namespace kube-system. */
  get uid(): string | undefined {
    return this.#uid;
  }

  /** As `GET /version` says it: `v1.36.3`. */
  get serverVersion(): string | undefined {
    return this.#serverVersion;
  }

  /** Asks who answers. Throws OtherClusterError where it is another one than before, ConnectionError or GivenUpError where nobody does. */
  confirm(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const namespace = await this.#read("/api/v1/namespaces/kube-system");
    const uid = textOf(fieldsOf(namespace["metadata"])["uid"]);
    if (uid !== undefined && this.#uid !== undefined && uid !== this.#uid) {
      throw new OtherClusterError(
        `${this.#options.connection.server} is another cluster than before: the uid of its namespace kube-system is ${uid}, not ${this.#uid}. Give it a name and a position of its own.`,
      );
    }
    this.#uid ??= uid;
    this.#serverVersion = textOf((await this.#read("/version"))["gitVersion"]) ?? this.#serverVersion;
  }

  /** The object at `path`, without any fields where it may not be read. */
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
