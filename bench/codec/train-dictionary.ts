import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A zstd dictionary of at most `maxBytes`, trained by the command `zstd`. `undefined` if the command is not installed.
 */
export function trainDictionary(samples: readonly string[], maxBytes: number): Uint8Array | undefined {
  const folder = mkdtempSync(join(tmpdir(), "outlive-zstd-"));
  try {
    const files = samples.map((sample, number) => {
      const file = join(folder, `${number}.json`);
      writeFileSync(file, sample);
      return file;
    });
    const list = join(folder, "samples.txt");
    writeFileSync(list, files.join("\n"));
    const dictionary = join(folder, "dictionary");
    const trained = spawnSync(
      "zstd",
      ["-q", "--train", "--filelist", list, "-o", dictionary, `--maxdict=${maxBytes}`],
      { stdio: "ignore" },
    );
    return trained.status === 0 ? readFileSync(dictionary) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
