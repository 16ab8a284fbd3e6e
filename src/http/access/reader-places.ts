export interface PlaceLimits {
  /** Bytes that were built and that no client has taken yet. No page is built while there are more. */
  readonly unreadBytes: number;
  /** Answers that are built at the same time. */
  readonly builtAtOnce: number;
}

/** The answers of one reader that are in progress. */
export class ReaderPlaces {
  readonly #limits: PlaceLimits;
  readonly #onEmpty: () => void;
  readonly #waiting: (() => void)[] = [];
  #size = 0;
  #building = 0;
  #unreadBytes = 0;

  /** `onEmpty` is called when the last answer has ended. */
  constructor(limits: PlaceLimits, onEmpty: () => void) {
    this.#limits = limits;
    this.#onEmpty = onEmpty;
  }

  /** How many answers are in progress. */
  get size(): number {
    return this.#size;
  }

  get hasRoom(): boolean {
    return this.#unreadBytes < this.#limits.unreadBytes;
  }

  take(): AnswerPlace {
    this.#size += 1;
    return new AnswerPlace(this);
  }

  leave(): void {
    this.#size -= 1;
    if (this.#size === 0) this.#onEmpty();
  }

  countUnread(difference: number): void {
    this.#unreadBytes += difference;
    this.#startNext();
  }

  /** Resolves when one more answer of the reader may be built, in the order of the calls. */
  beginBuilding(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#startNext();
    });
  }

  endBuilding(): void {
    this.#building -= 1;
    this.#startNext();
  }

  #startNext(): void {
    while (this.hasRoom && this.#building < this.#limits.builtAtOnce) {
      const start = this.#waiting.shift();
      if (start === undefined) return;
      this.#building += 1;
      start();
    }
  }
}

/** What one answer occupies, until all parts of it have ended. */
export class AnswerPlace {
  readonly #reader: ReaderPlaces;
  #parts = 0;
  #unreadBytes = 0;

  constructor(reader: ReaderPlaces) {
    this.#reader = reader;
  }

  /** Keeps the place until `part` settles. The place ends with the last of these parts. */
  async keepFor<Result>(part: Promise<Result>): Promise<Result> {
    this.#parts += 1;
    try {
      return await part;
    } finally {
      this.#parts -= 1;
      if (this.#parts === 0) this.#end();
    }
  }

  /** Builds the answer, or a page of it, when it is the turn of this answer. */
  async build<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#reader.beginBuilding();
    try {
      return await work();
    } finally {
      this.#reader.endBuilding();
    }
  }

  /** Lets others build while `wait`, which is called by `work` of {@link build}, waits for a change. */
  async aside<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#reader.endBuilding();
    try {
      return await wait();
    } finally {
      await this.#reader.beginBuilding();
    }
  }

  /** States how many bytes of the answer were built and have not been taken by the client. */
  setUnread(bytes: number): void {
    const difference = bytes - this.#unreadBytes;
    this.#unreadBytes = bytes;
    this.#reader.countUnread(difference);
  }

  #end(): void {
    this.setUnread(0);
    this.#reader.leave();
  }
}
